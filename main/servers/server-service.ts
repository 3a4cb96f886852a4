import type { LogPiece, Refusal, ServerSpec, ServerView } from '../../preload/contract';
import { type Disposable, Emitter, failed, ok, type Result } from '../base';
import { hasEnded, type Job, type JobService } from '../jobs';
import {
  type LaunchNotes,
  MODEL_SERVER_PURPOSE,
  PORT_FILE,
  readNotes,
  serverCommandLine,
  serverKey,
  writeNotes,
} from './logic/launch-notes';
import { ManagedServer, type SupervisionOptions } from './managed-server';
import { digestOf, type ModelFile, openModelFile } from './model-file';
import { OutsideServer } from './outside-server';
import type { RunningServer } from './running-server';

/** A program that runs the model server's script: `node`, or Electron's binary with ELECTRON_RUN_AS_NODE=1. */
export type NodeRuntime = { readonly command: string; readonly env: Readonly<Record<string, string>> };

/** A death is noticed within a second, and a view is never older than this. */
const LOOK_EVERY_MS = 250;
/** Changes within this are told together. */
const COALESCE_MS = 100;
/** Folders of ended servers that are kept for their logs. */
const KEPT_ENDED = 20;

const defaultSupervision: SupervisionOptions = {
  startTimeoutMs: 30_000,
  requestTimeoutMs: 600_000,
  restartWaitsMs: [500, 1_000, 2_000, 4_000, 8_000],
  steadyMs: 60_000,
};

export type ServerService = {
  /**
   * A server that has given one real answer: an equal one that runs (started by this app or a killed one), else a
   * new one. `modelPath` is the checkpoint or recording, absolute; null for an outside address. `owner` is the study
   * that needs it; null when a person wants it kept.
   */
  readonly ensure: (
    spec: ServerSpec,
    modelPath: string | null,
    owner: string | null,
  ) => Promise<Result<RunningServer, Refusal>>;
  /** Finds the servers of earlier starts of the app that still run. `ensure` does it too; later calls do nothing. */
  readonly reattach: () => Promise<void>;
  readonly views: () => readonly ServerView[];
  readonly onChange: (listener: (views: readonly ServerView[]) => void) => Disposable;
  readonly stop: (id: string) => Promise<Result<null, Refusal>>;
  /** A study needs its servers no more: those that nobody else needs are stopped. */
  readonly stopOwnedBy: (studyId: string) => Promise<void>;
  /** See `JobService.readLog`; empty for an outside address. */
  readonly readLog: (id: string, offset: number, maxBytes: number) => Promise<Result<LogPiece, Refusal>>;
  /** Lets go of everything; the servers go on. */
  readonly dispose: () => void;
};

type Entry = ManagedServer | OutsideServer;

export function createServerService(parts: {
  readonly jobs: JobService;
  readonly nodeRuntime: NodeRuntime;
  /** The built entry `model-server`, absolute. */
  readonly modelServerScript: string;
  readonly clock: { readonly now: () => number };
  readonly supervision?: Partial<SupervisionOptions>;
}): ServerService {
  const { jobs, clock } = parts;
  const options = { ...defaultSupervision, ...parts.supervision };
  const entries = new Map<string, Entry>();
  const underWay = new Map<string, Promise<Result<Entry, Refusal>>>();
  const changes = new Emitter<readonly ServerView[]>();
  let told = '[]';
  let telling: NodeJS.Timeout | null = null;
  let looking = false;
  let outsideCount = 0;
  let reattached: Promise<void> | null = null;
  let scriptDigest: Promise<string> | null = null;

  const views = (): readonly ServerView[] => [...entries.values()].map((entry) => entry.view());

  const tell = () => {
    telling = null;
    const now = views();
    const text = JSON.stringify(now);
    if (text === told) return;
    told = text;
    changes.emit(now);
  };
  const onChange = () => {
    telling ??= setTimeout(tell, COALESCE_MS);
  };

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      // A look that fails (too many open files, say) says nothing about a server: the next one will tell.
      for (const entry of entries.values()) await entry.look().catch(() => undefined);
      onChange();
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);

  const manage = (job: Job, notes: LaunchNotes): Entry | null => {
    if (notes.spec.kind === 'url') return null;
    const entry = new ManagedServer({ jobs, job, spec: notes.spec, notes, options, clock, onChange });
    entries.set(entry.id, entry);
    onChange();
    return entry;
  };

  const findLeftovers = async (): Promise<void> => {
    const servers = (await jobs.list()).filter(({ file }) => file.purpose === MODEL_SERVER_PURPOSE);
    for (const job of servers.filter(({ state }) => !hasEnded(state))) {
      const notes = readNotes(job.file.notes);
      if (notes !== null) manage(job, notes);
    }
    const ended = servers.filter(({ state }) => hasEnded(state));
    for (const job of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) await jobs.remove(job.id);
  };

  const reattach = (): Promise<void> => {
    reattached ??= findLeftovers();
    return reattached;
  };

  const launch = async (
    spec: Exclude<ServerSpec, { kind: 'url' }>,
    file: ModelFile,
    key: string,
    owner: string | null,
  ): Promise<Result<Entry, Refusal>> => {
    const notes: LaunchNotes = { key, spec, owner, knownProblemId: file.knownProblemId };
    const job = await jobs.launch({
      purpose: MODEL_SERVER_PURPOSE,
      command: parts.nodeRuntime.command,
      args: [parts.modelServerScript, ...serverCommandLine(spec, file.path)],
      cwd: null,
      env: { ...parts.nodeRuntime.env },
      freshFiles: [PORT_FILE],
      notes: { ...writeNotes(notes) },
    });
    if (!job.ok) return job;
    const entry = manage(job.value, notes);
    return entry === null ? failed(noFile(spec)) : ok(entry);
  };

  const begin = async (
    spec: ServerSpec,
    file: ModelFile | null,
    key: string,
    owner: string | null,
  ): Promise<Result<Entry, Refusal>> => {
    if (spec.kind !== 'url') return file === null ? failed(noFile(spec)) : launch(spec, file, key, owner);
    outsideCount += 1;
    const startedAt = new Date(clock.now()).toISOString();
    const { requestTimeoutMs } = options;
    const entry = new OutsideServer({
      id: `outside-${outsideCount}`,
      key,
      spec,
      startedAt,
      requestTimeoutMs,
      onChange,
    });
    entries.set(entry.id, entry);
    return ok(entry);
  };

  const entryFor = async (
    spec: ServerSpec,
    file: ModelFile | null,
    key: string,
    owner: string | null,
  ): Promise<Result<Entry, Refusal>> => {
    const equal = [...entries.values()].find((entry) => entry.key === key && entry.isUsable);
    if (equal !== undefined) return ok(equal);
    // One that failed or was stopped gives way to its successor.
    for (const entry of entries.values()) if (entry.key === key) entries.delete(entry.id);
    // Two runs that ask in the same moment get one server.
    const started = underWay.get(key) ?? begin(spec, file, key, owner).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };

  return {
    reattach,
    views,
    onChange: (listener) => changes.on(listener),
    ensure: async (spec, modelPath, owner) => {
      await reattach();
      const file = modelPath === null ? null : await openModelFile(spec.kind, modelPath);
      if (file !== null && !file.ok) return file;
      scriptDigest ??= digestOf(parts.modelServerScript);
      const key = serverKey(spec, file?.value.digest ?? '', spec.kind === 'url' ? '' : await scriptDigest);
      const entry = await entryFor(spec, file?.value ?? null, key, owner);
      if (!entry.ok) return entry;
      if (owner === null) entry.value.kept = true;
      else entry.value.owners.add(owner);
      onChange();
      return entry.value.ready();
    },
    stop: async (id) => {
      const entry = entries.get(id);
      return entry === undefined ? failed(noServer(id)) : entry.stop();
    },
    stopOwnedBy: async (studyId) => {
      const owned = [...entries.values()].filter((entry) => entry.owners.delete(studyId));
      const unneeded = owned.filter((entry) => entry.owners.size === 0 && !entry.kept && entry.isUsable);
      await Promise.all(unneeded.map((entry) => entry.stop()));
      onChange();
    },
    readLog: async (id, offset, maxBytes) => {
      const entry = entries.get(id);
      if (entry === undefined) return failed(noServer(id));
      return entry instanceof OutsideServer
        ? ok({ text: '', nextOffset: 0, size: 0 })
        : jobs.readLog(id, offset, maxBytes);
    },
    dispose: () => {
      clearInterval(timer);
      if (telling !== null) clearTimeout(telling);
      for (const entry of entries.values()) entry.detach();
    },
  };
}

function noServer(id: string): Refusal {
  return { code: 'not-found', message: `There is no server "${id}" in this list.` };
}

function noFile(spec: ServerSpec): Refusal {
  return { code: 'unavailable', message: `The server of "${spec.model}" has no file to answer from.` };
}
