import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobView,
  jobHasEnded,
  LOCAL_MACHINE,
  type OwnServerSpec,
  type Refusal,
  type ServerLaunch,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import type { Machine } from '../machines';
import { type LaunchNotes, launchKey, MODEL_SERVER_PURPOSE, readNotes } from './logic/launch-notes';
import { refusalOf } from './logic/launch-order';
import { ManagedServer } from './managed-server';
import type { ModelFile } from './model-file';
import { type KnownFile, type NodeRuntime, ownOrder } from './own-program';
import { findPort, type JobOrder, launchJob, type Program, programOf } from './program';
import { Reach } from './reach';
import type { SupervisionOptions } from './supervision';

/** The first look at this computer takes a fraction of a second. */
const REATTACH_PATIENCE_MS = 2_000;
const READY_PATIENCE_MS = 1_000;
/** Ended pocket and recorded servers that are kept for their logs. */
const KEPT_ENDED = 20;

/** A pocket or recorded server, and what it answers from. */
export type OwnOrder = {
  readonly spec: OwnServerSpec;
  readonly file: ModelFile;
  readonly script: KnownFile;
  /** See `serverKey`. */
  readonly key: string;
};

type FleetParts = {
  readonly jobs: JobService;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** As they are saved now. */
  readonly launches: () => readonly ServerLaunch[];
  readonly nodeRuntime: NodeRuntime;
  readonly options: SupervisionOptions;
  readonly clock: { readonly now: () => number };
  readonly onChange: () => void;
};

type Started = { readonly job: Job; readonly program: Program };

/** All servers that are jobs of ours: started, found again, started anew. */
export class ServerFleet {
  readonly #parts: FleetParts;
  readonly #entries = new Map<string, ManagedServer>();
  /** Two runs that ask in the same moment get one server. */
  readonly #underWay = new Map<string, Promise<Result<ManagedServer, Refusal>>>();
  /** Ports of jobs that are being launched: nobody listens there yet. */
  readonly #reserved = new Map<string, Set<number>>();
  #reattached: Promise<void> | null = null;

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  all(): readonly ManagedServer[] {
    return [...this.#entries.values()];
  }

  get(id: string): ManagedServer | undefined {
    return this.#entries.get(id);
  }

  /** The job service has looked at a job. */
  heard(job: JobView): void {
    this.all()
      .find(({ jobId }) => jobId === job.id)
      ?.heard(job);
  }

  /** Finds what earlier starts of the app have left: what runs is looked after, launches that ended are shown. */
  reattach(): Promise<void> {
    this.#reattached ??= this.#findLeftovers();
    return this.#reattached;
  }

  /** The one that answers like this, or a new one. */
  own(order: OwnOrder, owner: string | null): Promise<Result<ManagedServer, Refusal>> {
    return this.#oneOf(order.key, 0, () => this.#startOwn(order, owner));
  }

  /** Every replica of a launch, those that run and new ones; none is started where one cannot be. */
  async launched(
    launch: ServerLaunch,
    owner: string | null,
  ): Promise<Result<readonly ManagedServer[], Refusal>> {
    const refusal = refusalOf(launch);
    if (refusal !== null) return failed(refusal);
    const before = new Set(this.#entries.keys());
    const replicas: ManagedServer[] = [];
    for (let replica = 0; replica < launch.replicas; replica++) {
      const entry = await this.#oneOf(launchKey(launch), replica, async () => {
        const id = randomUUID();
        const started = await this.#startLaunch(launch, replica, id, owner);
        return started.ok ? ok(this.#manage(id, started.value)) : started;
      });
      if (!entry.ok) {
        for (const one of replicas.filter(({ id }) => !before.has(id))) await one.stop();
        return entry;
      }
      replicas.push(entry.value);
    }
    return ok(replicas);
  }

  /** Of a server that has ended; its former lives go with it, or one of them would be found at the next start. */
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

  /** Ended jobs of the same launch and replica that no server in the list has. */
  #formerJobs({ program }: ManagedServer): string[] {
    const { serves } = program;
    if (serves.kind === 'own') return [];
    const listed = new Set(this.all().map(({ jobId }) => jobId));
    return this.#parts.jobs.list().flatMap(({ id, spec, view }) => {
      const notes = spec.purpose === MODEL_SERVER_PURPOSE ? readNotes(spec.notes) : null;
      const isSame = notes?.serves.kind === 'launch' && nameOf(notes.serves) === nameOf(serves);
      return isSame && jobHasEnded(view.state) && !listed.has(id) ? [id] : [];
    });
  }

  async #oneOf(
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
    const under = this.#underWay.get(name);
    if (under !== undefined) return under;
    const starting = start()
      .then((started) => {
        // One that failed or was stopped gives way to its successor.
        if (started.ok) for (const { id } of equals) this.#entries.delete(id);
        return started;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, starting);
    return starting;
  }

  async #startOwn(order: OwnOrder, owner: string | null): Promise<Result<ManagedServer, Refusal>> {
    const { spec, file, script, key } = order;
    const machine = this.#parts.machines.get(spec.machineId ?? LOCAL_MACHINE);
    if (!machine.ok) return machine;
    const { nodeRuntime } = this.#parts;
    const serverId = randomUUID();
    const made = await ownOrder({
      machine: machine.value,
      spec,
      file,
      script,
      nodeRuntime,
      key,
      owner,
      serverId,
    });
    if (!made.ok) return made;
    const started = await this.#start(made.value, machine.value.id);
    return started.ok ? ok(this.#manage(serverId, started.value)) : started;
  }

  async #startLaunch(
    launch: ServerLaunch,
    replica: number,
    serverId: string,
    owner: string | null,
  ): Promise<Result<Started, Refusal>> {
    const machine = this.#parts.machines.get(launch.machineId);
    if (!machine.ok) return machine;
    const reserved = this.#reservedOn(launch.machineId);
    const port = await findPort(machine.value, launch, replica, this.#portsOn(launch.machineId));
    if (!port.ok) return port;
    reserved.add(port.value);
    try {
      return await this.#start(
        launchJob(launch, { replica, port: port.value, serverId }, owner),
        launch.machineId,
      );
    } finally {
      reserved.delete(port.value);
    }
  }

  async #start(order: JobOrder, machineId: string): Promise<Result<Started, Refusal>> {
    const job = await this.#parts.jobs.launch(order.spec);
    return job.ok ? ok({ job: job.value, program: programOf(order.notes, machineId) }) : job;
  }

  /** A launch as it is saved now; one that is not saved any more, or has fewer replicas now, as it was. */
  #startAnew(serverId: string, { notes }: Program): Promise<Result<Started, Refusal>> {
    const { serves, owner } = notes;
    if (serves.kind === 'own') throw new Error('A server of ours is started again in its own job');
    const saved = this.#parts.launches().find(({ id }) => id === serves.launch.id);
    const launch = saved === undefined || serves.replica >= saved.replicas ? serves.launch : saved;
    return this.#startLaunch(launch, serves.replica, serverId, owner);
  }

  #manage(id: string, { job, program }: Started, isFound = false): ManagedServer {
    const { jobs, machines, options, clock, onChange } = this.#parts;
    const entry = new ManagedServer({
      id,
      jobs,
      job,
      program,
      isFound,
      reach: new Reach(() => machines.get(program.machineId)),
      startAnew: (old) => this.#startAnew(id, old),
      options,
      clock,
      onChange,
    });
    this.#entries.set(id, entry);
    this.#forgetOldest();
    onChange();
    return entry;
  }

  /** Of pocket and recorded servers only the last ended ones stay in the list. */
  #forgetOldest(): void {
    const ended = this.all().filter(({ isUsable, program }) => !isUsable && program.serves.kind === 'own');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) this.#entries.delete(id);
  }

  async #findLeftovers(): Promise<void> {
    const { jobs } = this.#parts;
    // Machines that do not answer are not waited for: what is known of their jobs is in the records.
    await Promise.race([jobs.ready(), sleep(REATTACH_PATIENCE_MS, undefined, { ref: false })]);
    const ended = new Map<string, { readonly job: Job; readonly notes: LaunchNotes }>();
    const old: Job[] = [];
    for (const job of jobs.list().filter(({ spec }) => spec.purpose === MODEL_SERVER_PURPOSE)) {
      const notes = readNotes(job.spec.notes);
      const hasEnded = jobHasEnded(job.view.state);
      if (notes?.serves.kind === 'launch') {
        // The last one of each is the one that people mean.
        const name = nameOf(notes.serves);
        if (hasEnded) ended.set(name, { job, notes });
        else ended.delete(name);
      } else if (hasEnded) old.push(job);
      if (notes !== null && !hasEnded) this.#adopt(job, notes);
    }
    // Those that answer at once are known as ready then; nobody waits for the others.
    const ready = Promise.all(this.all().map((entry) => entry.ready()));
    await Promise.race([ready, sleep(READY_PATIENCE_MS, undefined, { ref: false })]);
    for (const { job, notes } of ended.values()) this.#adopt(job, notes);
    for (const job of old.slice(0, Math.max(0, old.length - KEPT_ENDED))) void jobs.remove(job.id);
  }

  #adopt(job: Job, notes: LaunchNotes): void {
    const id = notes.serverId ?? job.id;
    const { machineId } = job.spec;
    const found = { job, program: programOf(notes, machineId) };
    this.#manage(this.#entries.has(id) ? job.id : id, found, true);
  }

  #reservedOn(machineId: string): Set<number> {
    const ports = this.#reserved.get(machineId) ?? new Set<number>();
    this.#reserved.set(machineId, ports);
    return ports;
  }

  #portsOn(machineId: string): ReadonlySet<number> {
    const ports = new Set(this.#reservedOn(machineId));
    for (const { program } of this.#entries.values()) {
      if (program.machineId === machineId && program.serves.kind === 'launch') ports.add(program.serves.port);
    }
    return ports;
  }
}

function nameOf({ launch, replica }: { readonly launch: ServerLaunch; readonly replica: number }): string {
  return `${replica} ${launch.id}`;
}

function replicaOf({ serves }: Program): number {
  return serves.kind === 'launch' ? serves.replica : 0;
}
