import type {
  LaunchPlan,
  LogPiece,
  OwnServerSpec,
  Refusal,
  ServerLaunch,
  ServerSpec,
  ServerView,
  SpeedRow,
} from '../../preload/contract';
import { type Disposable, DisposableStore, Emitter, failed, ok, type Result } from '../base';
import type { GpuAvailability, JobService } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { sha256OfFile } from '../storage';
import { abortable, sleepUnlessAborted } from './abortable';
import { ExternalServer } from './external-server';
import { ExternalServers } from './external-servers';
import { planLaunch } from './launch-plan';
import { serverKey } from './logic/launch-notes';
import type { ManagedServer } from './managed-server';
import { openModelFile } from './model-file';
import type { NodeRuntime, OwnServerRequest } from './own-program';
import { runReplicas } from './replicas';
import type { RunningServer, SpeedTarget } from './running-server';
import { ServerFleet } from './server-fleet';
import { type SpeedTestRequest, testSpeed } from './speed-test';
import { DEFAULT_SUPERVISION, type SupervisionOptions } from './supervision';

/** A view is never older than this, and metrics are polled as often. */
const POLL_MS = 500;
/** Changes within this are emitted together. */
const COALESCE_MS = 100;
const ADOPTED_TIMEOUT_MS = 10_000;

export type ServerService = {
  /**
   * A server that has given one real answer: an equal one that runs (also one of an earlier start of the app), else a
   * new one; for a launch with replicas, all of them as one. `modelPath` is the checkpoint or recording on this
   * computer, absolute; null for launches and external addresses. `owner` is the study that needs it, or a step of a
   * reproduction (`reproductionOwner`); null when a person starts it. `signal` ends the waiting (`cancelled`); what was
   * started by then keeps running and belongs to the owner.
   */
  readonly ensure: (
    spec: ServerSpec,
    modelPath: string | null,
    owner: string | null,
    signal?: AbortSignal,
  ) => Promise<Result<RunningServer, Refusal>>;
  /** Adopts the servers of earlier starts of the app. `ensure` and `launch` do it too; later calls do nothing. */
  readonly reattach: () => Promise<void>;
  readonly views: () => readonly ServerView[];
  /** The job's server has failed, and is started again without being asked. */
  readonly isRestarting: (jobId: string) => boolean;
  readonly onChange: (listener: (views: readonly ServerView[]) => void) => Disposable;
  /** Starts every replica that does not run; resolves with all their ids when the processes are known. */
  readonly launch: (launchId: string) => Promise<Result<readonly string[], Refusal>>;
  /** Changes nothing. */
  readonly plan: (launch: ServerLaunch) => AsyncResult<LaunchPlan>;
  readonly stop: (id: string) => Promise<Result<null, Refusal>>;
  /** Uses the launch as it is saved now; an external address is checked again. */
  readonly restart: (id: string) => Promise<Result<null, Refusal>>;
  /** Takes an ended server out of the list and deletes its job with its log. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** A study no longer needs its servers: stops those that nobody else needs. */
  readonly stopOwnedBy: (studyId: string) => Promise<void>;
  /** `report` in requests. */
  readonly speedTest: (
    id: string,
    request: SpeedTestRequest,
    report: (done: number, total: number) => void,
    signal: AbortSignal,
  ) => Promise<Result<readonly SpeedRow[], Refusal>>;
  /** See `JobService.readLogOrCopy`; empty for an external address. */
  readonly readLog: (id: string, offset: number, maxBytes: number) => Promise<Result<LogPiece, Refusal>>;
  /** Stops supervising; the servers keep running. */
  readonly dispose: () => void;
};

/** A server that may not be ready yet. */
type PendingServer = { readonly ready: () => Promise<Result<RunningServer, Refusal>> };

export function createServerService(parts: {
  readonly jobs: JobService;
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  /** The user's launches, as they are saved now. */
  readonly launches: () => readonly ServerLaunch[];
  readonly gpus: (machineId: string) => AsyncResult<GpuAvailability>;
  /** A key by its name; null where there is none. It is not stored here. */
  readonly secretOf: (name: string) => Promise<string | null>;
  readonly nodeRuntime: NodeRuntime;
  /** Holds the learner's package, which serves the models that it has trained. */
  readonly resourcesDir: string;
  /** The built entry `model-server`: one file without its own imports, absolute. */
  readonly modelServerScript: string;
  readonly clock: { readonly now: () => number };
  readonly supervision?: Partial<SupervisionOptions>;
}): ServerService {
  const { jobs } = parts;
  const options = { ...DEFAULT_SUPERVISION, ...parts.supervision };
  const changes = new Emitter<readonly ServerView[]>();
  const owned = new DisposableStore();
  let scriptDigest: Promise<string> | null = null;

  const entries = () => [...fleet.all(), ...external.all()];
  const views = (): readonly ServerView[] => entries().map((entry) => entry.view());
  const { schedule: onChange, ...emission } = coalesced(views, (changed) => changes.emit(changed));
  const fleet = new ServerFleet({ ...parts, options, onChange });
  const external = new ExternalServers({ ...parts, options, onChange });
  owned.add(jobs.onChange((job) => fleet.onJobChanged(job)));
  const timer = setInterval(() => {
    for (const entry of entries()) void entry.pollMetrics();
    onChange();
  }, POLL_MS);
  owned.add({ dispose: () => clearInterval(timer) });

  const entryOf = (id: string) => fleet.get(id) ?? external.get(id);
  const addOwner = (entry: { isPinned: boolean; readonly owners: Set<string> }, owner: string | null) => {
    if (owner === null) entry.isPinned = true;
    else entry.owners.add(owner);
    onChange();
  };

  const ensureOwn = async (
    spec: OwnServerSpec,
    modelPath: string | null,
    owner: string | null,
  ): Promise<Result<ManagedServer, Refusal>> => {
    scriptDigest ??= sha256OfFile(parts.modelServerScript);
    const script = { path: parts.modelServerScript, digest: await scriptDigest };
    const request = await ownRequest(spec, modelPath, script);
    return request.ok ? fleet.own(request.value, owner) : request;
  };

  const startLaunch = async (launchId: string, owner: string | null) => {
    const launch = parts.launches().find(({ id }) => id === launchId);
    if (launch === undefined) return failed(noLaunch(launchId));
    const replicas = await fleet.launched(launch, owner);
    if (replicas.ok) for (const replica of replicas.value) addOwner(replica, owner);
    return replicas;
  };

  const serverFor = async (
    spec: ServerSpec,
    modelPath: string | null,
    owner: string | null,
  ): Promise<Result<PendingServer, Refusal>> => {
    if (spec.kind === 'launch') {
      const replicas = await startLaunch(spec.launchId, owner);
      return replicas.ok ? ok({ ready: () => runReplicas(replicas.value) }) : replicas;
    }
    const entry = spec.kind === 'url' ? await external.ensure(spec) : await ensureOwn(spec, modelPath, owner);
    if (entry.ok) addOwner(entry.value, owner);
    return entry;
  };

  const ensure: ServerService['ensure'] = async (spec, modelPath, owner, signal) => {
    await fleet.reattach();
    const server = await serverFor(spec, modelPath, owner);
    if (!server.ok) return server;
    const ready = server.value.ready();
    const outcome = signal === undefined ? await ready : await abortable(ready, signal);
    return (
      outcome ?? failed({ code: 'cancelled', message: `Stopped waiting for the server of "${spec.model}".` })
    );
  };

  return {
    ensure,
    reattach: () => fleet.reattach(),
    views,
    isRestarting: (jobId) => fleet.all().some((entry) => entry.jobId === jobId && entry.isRestarting),
    onChange: (listener) => changes.on(listener),
    launch: async (launchId) => {
      await fleet.reattach();
      const replicas = await startLaunch(launchId, null);
      return replicas.ok ? ok(replicas.value.map(({ id }) => id)) : replicas;
    },
    plan: async (launch) => {
      const machine = parts.machines.get(launch.machineId);
      return machine.ok ? planLaunch({ ...parts, launch, machine: machine.value }) : machine;
    },
    stop: async (id) => entryOf(id)?.stop() ?? failed(noServer(id)),
    restart: async (id) => entryOf(id)?.restart() ?? failed(noServer(id)),
    remove: async (id) => {
      const entry = entryOf(id);
      if (entry === undefined) return failed(noServer(id));
      if (entry.isUsable) return failed(isStillRunning(entry.view().model));
      if (external.remove(id)) return ok(null);
      return fleet.remove(id);
    },
    stopOwnedBy: async (studyId) => {
      await stopUnneeded(entries(), studyId);
      onChange();
    },
    speedTest: async (id, request, report, signal) => {
      const entry = entryOf(id);
      if (entry === undefined) return failed(noServer(id));
      const target = await speedTarget(entry, signal);
      return target.ok ? testSpeed(target.value, request, report, signal) : target;
    },
    readLog: async (id, offset, maxBytes) => {
      const entry = fleet.get(id);
      if (entry !== undefined) return jobs.readLogOrCopy(entry.jobId, 'output', offset, maxBytes);
      return external.get(id) !== undefined ? ok({ text: '', nextOffset: 0, size: 0 }) : failed(noServer(id));
    },
    dispose: () => {
      owned.dispose();
      emission.dispose();
      fleet.close();
      for (const entry of external.all()) entry.detach();
    },
  };
}

async function stopUnneeded(
  entries: readonly (ManagedServer | ExternalServer)[],
  studyId: string,
): Promise<void> {
  const needed = entries.filter((entry) => entry.owners.delete(studyId));
  const unneeded = needed.filter((entry) => entry.owners.size === 0 && !entry.isPinned && entry.isUsable);
  const why = 'No study or reproduction needs it any more.';
  await Promise.all(
    unneeded.map((entry) => (entry instanceof ExternalServer ? entry.stop() : entry.stop(why))),
  );
}

/** Emits the views where they have changed, once for all changes within a moment. */
function coalesced(
  views: () => readonly ServerView[],
  emit: (views: readonly ServerView[]) => void,
): Disposable & { readonly schedule: () => void } {
  let emitted = '[]';
  let pending: NodeJS.Timeout | null = null;
  const emitChanged = () => {
    pending = null;
    const now = views();
    const text = JSON.stringify(now);
    if (text === emitted) return;
    emitted = text;
    emit(now);
  };
  return {
    schedule: () => {
      pending ??= setTimeout(emitChanged, COALESCE_MS);
    },
    dispose: () => {
      if (pending !== null) clearTimeout(pending);
    },
  };
}

async function ownRequest(
  spec: OwnServerSpec,
  modelPath: string | null,
  script: OwnServerRequest['script'],
): Promise<Result<OwnServerRequest, Refusal>> {
  if (modelPath === null) return failed(noFile(spec));
  const file = await openModelFile(spec.kind, modelPath);
  if (!file.ok) return file;
  return ok({ spec, file: file.value, script, key: serverKey(spec, file.value.digest, script.digest) });
}

/** Waits for a server that was just adopted and is still being checked, but not for one that loads its weights. */
async function speedTarget(
  entry: ManagedServer | ExternalServer,
  signal: AbortSignal,
): Promise<Result<SpeedTarget, Refusal>> {
  if (!entry.isReady && entry.isUsable)
    await Promise.race([entry.ready(), sleepUnlessAborted(ADOPTED_TIMEOUT_MS, signal)]);
  const target = entry.target();
  if (target !== null) return ok(target);
  return failed({ code: 'conflict', message: `The server of "${entry.view().model}" is not ready.` });
}

function noServer(id: string): Refusal {
  return { code: 'not-found', message: `There is no server "${id}".` };
}

function noLaunch(id: string): Refusal {
  return {
    code: 'not-found',
    message: `There is no launch "${id}".`,
    hint: 'Create it under Servers, or in a terminal with "mars2 servers save FILE". The small model: mars2 servers install llama.cpp --with-model',
  };
}

function noFile(spec: ServerSpec): Refusal {
  return { code: 'unavailable', message: `The server of "${spec.model}" has no file to answer from.` };
}

function isStillRunning(model: string): Refusal {
  return { code: 'conflict', message: `The server of "${model}" is still running. Stop it first.` };
}
