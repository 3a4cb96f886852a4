import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobView,
  jobHasEnded,
  LOCAL_MACHINE,
  type Refusal,
  type ServerLaunch,
} from '../../preload/contract';
import { DisposableStore, failed, ok, type Result } from '../base';
import { type GpuAvailability, type Job, type JobService, neverStartsReason } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { earlierServers, MAX_ENDED, replicaKey } from './earlier-servers';
import { installable } from './install-llama-cpp';
import { LaunchGroups, type StartedServer } from './launch-groups';
import { learnerRuntime } from './learner-runtime';
import { gpuIdsOf, refusalOf } from './logic/launch-command';
import { type LaunchNotes, launchKey, MODEL_SERVER_PURPOSE, readNotes } from './logic/launch-notes';
import { ManagedServer } from './managed-server';
import { type NodeRuntime, type OwnServerRequest, ownServerJob } from './own-program';
import { findPorts, launchJob, type Program, programOf, replicaOf, type ServerJob } from './program';
import { ReservedPorts } from './reserved-ports';
import { ServerTunnel } from './server-tunnel';
import type { SupervisionOptions } from './supervision';

/** The first check of this computer takes a fraction of a second. */
const REATTACH_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 1_000;

type FleetParts = {
  readonly jobs: JobService;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** As they are saved now. */
  readonly launches: () => readonly ServerLaunch[];
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  readonly nodeRuntime: NodeRuntime;
  readonly resourcesDir: string;
  readonly options: SupervisionOptions;
  readonly clock: { readonly now: () => number };
  readonly onChange: () => void;
};

/** All servers that run as jobs of ours. */
export class ServerFleet {
  readonly #parts: FleetParts;
  readonly #entries = new Map<string, ManagedServer>();
  /** Two runs that ask at the same moment get one server. */
  readonly #starting = new Map<string, Promise<Result<ManagedServer, Refusal>>>();
  readonly #reserved = new ReservedPorts();
  readonly #groups: LaunchGroups;
  #reattached: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#groups = new LaunchGroups(parts.jobs);
  }

  all(): readonly ManagedServer[] {
    return [...this.#entries.values()];
  }

  /** Stops watching them, also one whose job is being started now; the servers keep running. */
  close(): void {
    this.#isClosed = true;
    for (const entry of this.all()) entry.detach();
  }

  get(id: string): ManagedServer | undefined {
    return this.#entries.get(id);
  }

  onJobChanged(job: JobView): void {
    this.all()
      .find(({ jobId }) => jobId === job.id)
      ?.onJobChanged(job);
  }

  /** Finds servers of earlier starts of the app: supervises those that run, lists the last that have ended. */
  reattach(): Promise<void> {
    this.#reattached ??= this.#adoptEarlier();
    return this.#reattached;
  }

  /** An equal server that runs, or a new one. */
  own(request: OwnServerRequest, owner: string | null): Promise<Result<ManagedServer, Refusal>> {
    return this.#findOrStart(request.key, 0, () => this.#startOwn(request, owner));
  }

  /** Every replica of a launch, running or new, started together; when one cannot be started, the new ones are stopped. */
  async launched(
    launch: ServerLaunch,
    owner: string | null,
  ): Promise<Result<readonly ManagedServer[], Refusal>> {
    const refusal = refusalOf(launch);
    if (refusal !== null) return failed(refusal);
    const before = new Set(this.#entries.keys());
    const start = (replica: number) =>
      this.#findOrStart(launchKey(launch), replica, async () => {
        const id = randomUUID();
        const started = await this.#startLaunch(launch, replica, id, owner);
        return started.ok ? ok(this.#manage(id, started.value)) : started;
      });
    const started = await Promise.all(
      Array.from({ length: launch.replicas }, (_, replica) => start(replica)),
    );
    const replicas = started.flatMap((replica) => (replica.ok ? replica.value : []));
    const refused = started.find((replica) => !replica.ok);
    if (refused === undefined) return ok(replicas);
    await Promise.all(replicas.map((replica) => (before.has(replica.id) ? null : replica.stop())));
    return refused;
  }

  /** Removes an ended server with its earlier jobs, or one of those would be adopted at the next start of the app. */
  async remove(id: string): Promise<Result<null, Refusal>> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return ok(null);
    for (const jobId of [...this.#formerJobs(entry), entry.jobId]) {
      const removed = await this.#parts.jobs.remove(jobId);
      if (!removed.ok && removed.error.code !== 'not-found') return removed;
    }
    this.#entries.delete(id);
    this.#parts.onChange();
    return ok(null);
  }

  /** Ended jobs of the same launch and replica, or of an equal server, that no server in the list has. */
  #formerJobs({ program: { serves, notes: own } }: ManagedServer): string[] {
    const listed = new Set(this.all().map(({ jobId }) => jobId));
    return this.#parts.jobs.list().flatMap(({ id, spec, view }) => {
      const notes = spec.purpose === MODEL_SERVER_PURPOSE ? readNotes(spec.notes) : null;
      const isSame =
        notes?.serves.kind === 'launch'
          ? serves.kind === 'launch' && replicaKey(notes.serves) === replicaKey(serves)
          : notes?.key === own.key;
      return isSame && jobHasEnded(view.state) && !listed.has(id) ? [id] : [];
    });
  }

  async #findOrStart(
    key: string,
    replica: number,
    start: () => Promise<Result<ManagedServer, Refusal>>,
  ): Promise<Result<ManagedServer, Refusal>> {
    const equals = this.all().filter(
      ({ program }) => program.notes.key === key && replicaOf(program) === replica,
    );
    const running = equals.find(({ isUsable }) => isUsable);
    if (running !== undefined) return ok(running);
    const name = `${replica} ${key}`;
    const inProgress = this.#starting.get(name);
    if (inProgress !== undefined) return inProgress;
    const starting = start()
      .then((started) => {
        // Replaces those that failed or were stopped.
        if (started.ok) for (const { id } of equals) this.#entries.delete(id);
        return started;
      })
      .finally(() => this.#starting.delete(name));
    this.#starting.set(name, starting);
    return starting;
  }

  async #startOwn(request: OwnServerRequest, owner: string | null): Promise<Result<ManagedServer, Refusal>> {
    const { spec, file, script, key } = request;
    const machine = this.#parts.machines.get(spec.machineId ?? LOCAL_MACHINE);
    if (!machine.ok) return machine;
    const { nodeRuntime } = this.#parts;
    const serverId = randomUUID();
    const own = { machine: machine.value, spec, file, script, nodeRuntime, key, owner, serverId };
    const started = await this.#groups.launch(machine.value.id, () => ownServerJob(own));
    return started.ok ? ok(this.#manage(serverId, started.value)) : started;
  }

  async #startLaunch(
    launch: ServerLaunch,
    replica: number,
    serverId: string,
    owner: string | null,
  ): Promise<Result<StartedServer, Refusal>> {
    const machine = this.#parts.machines.get(launch.machineId);
    if (!machine.ok) return machine;
    const reserved = new DisposableStore();
    try {
      const instance = { replica, serverId, owner, reserved };
      return await this.#groups.launch(launch.machineId, () =>
        this.#launchJob(launch, machine.value, instance),
      );
    } finally {
      reserved.dispose();
    }
  }

  /** Its port stays reserved until `reserved` is disposed. */
  async #launchJob(
    launch: ServerLaunch,
    machine: Machine,
    instance: {
      readonly replica: number;
      readonly serverId: string;
      readonly owner: string | null;
      readonly reserved: DisposableStore;
    },
  ): Promise<Result<ServerJob, Refusal>> {
    const { replica, serverId, owner, reserved } = instance;
    const { resourcesDir, gpus } = this.#parts;
    const resources = { gpus: launch.gpus, gpuIds: gpuIdsOf(launch, replica) };
    const never = await neverStartsReason(resources, machine, gpus, {
      what: 'This launch',
      hint: 'Choose another machine or fewer GPUs in the launch. llama.cpp also runs without a GPU.',
    });
    if (never !== null) return failed(never);
    const learner = await learnerRuntime(machine, launch, { resourcesDir, ships: true });
    if (!learner.ok) return learner;
    const installed = await installable(machine, launch, resourcesDir);
    if (!installed.ok) return installed;
    const free = await findPorts(machine, launch, replica);
    if (!free.ok) return free;
    // Chosen and reserved in one go: servers that start together ask at the same time.
    const taken = new Set([...this.#reserved.on(launch.machineId), ...this.#portsOn(launch.machineId)]);
    const port = free.value.find((port) => !taken.has(port)) ?? free.value[0];
    reserved.add(this.#reserved.add(launch.machineId, port));
    const programs = { learner: learner.value, installed: installed.value?.programs ?? null };
    return ok(launchJob(launch, { replica, port, serverId, ...programs }, owner));
  }

  /** Uses the launch as it is saved now; where it was deleted or has fewer replicas now, as it was. */
  #launchAgain(serverId: string, { notes }: Program): Promise<Result<StartedServer, Refusal>> {
    const { serves, owner } = notes;
    if (serves.kind === 'own') throw new Error('Own servers restart in their own job');
    const saved = this.#parts.launches().find(({ id }) => id === serves.launch.id);
    const launch = saved === undefined || serves.replica >= saved.replicas ? serves.launch : saved;
    return this.#startLaunch(launch, serves.replica, serverId, owner);
  }

  #manage(id: string, { job, program }: StartedServer, isAdopted = false): ManagedServer {
    const { jobs, machines, options, clock, onChange } = this.#parts;
    const entry = new ManagedServer({
      id,
      jobs,
      job,
      program,
      isAdopted,
      tunnel: new ServerTunnel(() => machines.get(program.machineId)),
      launchAgain: (old) => this.#launchAgain(id, old),
      options,
      clock,
      onChange,
    });
    if (this.#isClosed) entry.detach();
    this.#entries.set(id, entry);
    this.#dropOldest();
    onChange();
    return entry;
  }

  /** Only the newest ended pocket and recorded servers stay in the list. */
  #dropOldest(): void {
    const ended = this.all().filter(({ isUsable, program }) => !isUsable && program.serves.kind === 'own');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#entries.delete(id);
  }

  async #adoptEarlier(): Promise<void> {
    const { jobs } = this.#parts;
    // Does not wait for machines that do not answer: the records say what is known of their jobs.
    await Promise.race([jobs.ready(), sleep(REATTACH_TIMEOUT_MS, undefined, { ref: false })]);
    const earlier = earlierServers(jobs.list());
    for (const { job, notes } of earlier.running) this.#adopt(job, notes);
    // Servers that answer at once are then known to be ready; the others are not waited for.
    const ready = Promise.all(this.all().map((entry) => entry.ready()));
    await Promise.race([ready, sleep(READY_TIMEOUT_MS, undefined, { ref: false })]);
    for (const { job, notes } of earlier.ended) this.#adopt(job, notes);
    const unlisted = earlier.unlisted.slice(0, Math.max(0, earlier.unlisted.length - MAX_ENDED));
    for (const job of unlisted) void jobs.remove(job.id);
  }

  #adopt(job: Job, notes: LaunchNotes): void {
    const id = notes.serverId ?? job.id;
    const { machineId } = job.spec;
    const started = { job, program: programOf(notes, machineId) };
    this.#manage(this.#entries.has(id) ? job.id : id, started, true);
  }

  /** Where servers of launches listen. */
  #portsOn(machineId: string): readonly number[] {
    return this.all().flatMap(({ program }) =>
      program.machineId === machineId && program.serves.kind === 'launch' ? [program.serves.port] : [],
    );
  }
}
