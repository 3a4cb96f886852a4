import type { JobState, Refusal, WatchedTraining } from '../../preload/contract';
import { jobHasEnded, trainingRequestSchema } from '../../preload/contract';
import { isAbsoluteOrHome } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import { readForeignJob } from '../jobs';
import { type AsyncResult, type Machine, nameInSentence } from '../machines';
import { TRAINING_RECORD_VERSION, type TrainingRecord } from './logic/training-record';
import {
  type FolderContents,
  folderProblem,
  folderScript,
  logFormOf,
  ownRun,
  parseFolder,
} from './logic/watched-folder';

/** Slurm is asked no more often: many questions burden a cluster. */
const SLURM_EVERY_MS = 60_000;
/** Of a spec.json, which also names the problems of a training. */
const MAX_SPEC_BYTES = 4 * 1_048_576;
/** Of a log, to see how it writes its numbers. */
const SAMPLE_BYTES = 262_144;

const SLURM_ID = /^\d{1,12}(_\d{1,8})?$/;

/** Least time between two saves of the last state, which lists show. */
const SAVE_EVERY_MS = 60_000;

/** A user's request to watch a run. */
export type WatchRequest = {
  readonly machineId: string;
  /** A folder or a Slurm id. */
  readonly source: string;
  readonly name?: string | undefined;
};

/** Runs that others started: found and asked after, never changed. */
export type WatchedRuns = {
  /** The record of a run that is there; refused where nothing of a training is found, and if it is watched already. */
  readonly find: (
    request: WatchRequest,
    records: { readonly id: string; readonly known: readonly TrainingRecord[] },
  ) => AsyncResult<TrainingRecord>;
  /** How it stands after a read of its files; `problem`: why they could not be read. */
  readonly stateOf: (record: TrainingRecord, problem: Refusal | null) => Promise<JobState>;
  /** Whether what was seen of it should be saved now. */
  readonly isSaveDue: (id: string) => boolean;
};

type Found = { readonly spec: WatchedTraining; readonly state: JobState; readonly name: string };

export function createWatchedRuns(deps: {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly clock: { readonly now: () => number };
}): WatchedRuns {
  const { machines, clock } = deps;
  const queriedMs = new Map<string, number>();
  const savedMs = new Map<string, number>();

  return {
    find: async ({ machineId, source, name }, { id, known }) => {
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const run = await findRun(machine.value, source, clock.now());
      if (!run.ok) return run;
      const { spec, state } = run.value;
      const text = JSON.stringify(spec);
      const other = known.find(
        ({ order }) => order.machineId === machineId && JSON.stringify(order.spec) === text,
      );
      if (other !== undefined) {
        return failed({ code: 'conflict', message: `It is watched already, as "${other.order.name}".` });
      }
      return ok({
        ...{ version: TRAINING_RECORD_VERSION, id },
        order: trainingRequestSchema.parse({ name: name ?? run.value.name, machineId, spec }),
        ...{ recipe: null, jobId: null, experimentId: null, seen: null },
        createdAt: new Date(clock.now()).toISOString(),
        watched: { state },
      });
    },
    isSaveDue: (id) => {
      if (clock.now() - (savedMs.get(id) ?? 0) < SAVE_EVERY_MS) return false;
      savedMs.set(id, clock.now());
      return true;
    },
    stateOf: async (record, problem) => {
      const { spec, machineId } = record.order;
      const before = record.watched?.state ?? RUNNING;
      if (problem?.code === 'unreachable') {
        if (before.kind === 'unknown') return before;
        return { kind: 'unknown', since: new Date(clock.now()).toISOString(), last: 'running' };
      }
      if (spec.kind !== 'watched' || spec.slurmId === null) return RUNNING;
      if (before.kind !== 'unknown' && clock.now() - (queriedMs.get(record.id) ?? 0) < SLURM_EVERY_MS)
        return before;
      const machine = machines.get(machineId);
      if (!machine.ok) return before;
      queriedMs.set(record.id, clock.now());
      const job = await readForeignJob(machine.value, spec.slurmId, clock.now());
      if (job.ok) return job.value.state;
      if (job.error.code === 'not-found' && !jobHasEnded(before))
        return { kind: 'lost', why: job.error.message };
      return before;
    },
  };
}

async function findRun(machine: Machine, source: string, nowMs: number): AsyncResult<Found> {
  if (SLURM_ID.test(source)) return findJob(machine, source, nowMs);
  if (!isAbsoluteOrHome(source)) {
    return failed({
      code: 'bad-input',
      message: `"${source}" is neither a Slurm id nor a folder that begins with "/" or "~/".`,
    });
  }
  const folder = await findFolder(machine, source);
  return folder.ok ? ok({ ...folder.value, state: RUNNING }) : folder;
}

/** Whether a process still writes to a folder is unknown: a long silence is an alarm. */
const RUNNING: JobState = { kind: 'running', pid: null };

async function findJob(machine: Machine, slurmId: string, nowMs: number): AsyncResult<Found> {
  const job = await readForeignJob(machine, slurmId, nowMs);
  if (!job.ok) return job;
  const { log, state, name } = job.value;
  if (log === null) {
    return failed({
      code: 'bad-input',
      message: `Slurm does not say where job ${slurmId} writes its output.`,
      hint: 'Watch the folder of its files instead.',
    });
  }
  const logForm = await formOf(machine, log);
  if (!logForm.ok) return logForm;
  const spec: WatchedTraining = {
    ...{ kind: 'watched', folder: null, slurmId, metrics: null, logs: [log], logForm: logForm.value },
    agents: [],
    scale: 'own',
  };
  return ok({ spec, state, name: name === '' ? `Slurm job ${slurmId}` : name.slice(0, 120) });
}

async function findFolder(
  machine: Machine,
  path: string,
): AsyncResult<{ readonly spec: WatchedTraining; readonly name: string }> {
  const listed = await machine.run(folderScript(path));
  if (!listed.ok) return listed;
  const parsed = parseFolder(listed.value.stdout);
  if (parsed === null) {
    return failed({
      code: 'not-found',
      message: `There is no folder or log ${path} on ${nameInSentence(machine.spec)}.`,
    });
  }
  const problem = folderProblem(parsed);
  if (problem !== null) return failed({ code: 'bad-input', message: problem });
  const { folder, hasMetrics, logs } = parsed;
  const own = await ownRunIn(machine, parsed);
  if (!own.ok) return own;
  const newest = logs.at(-1);
  const logForm = newest === undefined ? ok('python-dict' as const) : await formOf(machine, newest);
  if (!logForm.ok) return logForm;
  const spec: WatchedTraining = {
    kind: 'watched',
    folder: parsed.runs[0] ?? folder,
    slurmId: null,
    metrics: hasMetrics ? folder : null,
    // The log of our own trainer holds no numbers that its files do not.
    logs: hasMetrics ? [] : [...logs],
    logForm: logForm.value,
    agents: [...own.value.agents],
    scale: own.value.isPocket ? 'pocket' : 'own',
  };
  return ok({ spec, name: folder.split('/').slice(-2).join('/').slice(-120) });
}

async function ownRunIn(
  machine: Machine,
  { folder, hasMetrics }: FolderContents,
): AsyncResult<ReturnType<typeof ownRun>> {
  if (!hasMetrics) return ok({ agents: [], isPocket: false });
  const text = await textOf(machine, `${folder}/spec.json`, MAX_SPEC_BYTES);
  return text.ok ? ok(ownRun(text.value)) : text;
}

async function formOf(machine: Machine, log: string): AsyncResult<WatchedTraining['logForm']> {
  const text = await textOf(machine, log, SAMPLE_BYTES);
  return text.ok ? ok(logFormOf(text.value)) : text;
}

/** The beginning of a file; empty: there is none. */
async function textOf(machine: Machine, path: string, maxBytes: number): AsyncResult<string> {
  const slice = await machine.readSlice(path, 0, maxBytes);
  return slice.ok ? ok(new TextDecoder().decode(slice.value?.bytes ?? new Uint8Array())) : slice;
}
