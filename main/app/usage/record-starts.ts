import { setTimeout as sleep } from 'node:timers/promises';
import { type JobView, jobHasEnded, type UsageProject } from '../../../preload/contract/index';
import { createKeyedQueue, type Result } from '../../base/index';
import type { JobService } from '../../jobs/index';
import type { ReconcileProblem } from '../../reconcile/index';
import { type JobStart, startsOf } from './job-starts';
import type { StartLedger, StartRecord } from './start-ledger';
import type { Projects } from './usage-projects';

/** How long a silent machine may delay the end; what is missing then is added at the next start. */
const SETTLE_MS = 2_000;

type Notes = Readonly<Record<string, string>>;

export type RecordDeps = {
  readonly jobs: Pick<JobService, 'list' | 'onChange' | 'onRemoved' | 'provenance'>;
  readonly isSlurm: (machineId: string) => boolean;
  readonly clock: { readonly now: () => number };
  readonly onError: (problem: ReconcileProblem) => void;
};

/**
 * Adds to the ledger every start that has ended and is not in it, until it is closed: what ends from now on at once, what
 * ended before once the ledger is needed.
 */
export function recordStarts(
  readLedger: () => Promise<Result<StartLedger, unknown>>,
  projects: Pick<Projects, 'ofJob'>,
  deps: RecordDeps,
): { readonly catchUp: () => Promise<void>; readonly close: () => Promise<void> } {
  const { jobs, clock, onError } = deps;
  const queue = createKeyedQueue();
  /** Jobs that have not ended, for one that is removed before its end is known. */
  const open = new Map<string, JobView>();
  /** Jobs with ends that may not be in the ledger: it has not been read. */
  const earlier = new Map<string, { readonly view: JobView; readonly notes: Notes }>();
  /** How many ended starts of a job were looked at. */
  const seen = new Map<string, number>();
  const add = (id: string, work: (ledger: StartLedger) => Promise<void>): void => {
    const withLedger = async (): Promise<void> => {
      const ledger = await readLedger();
      if (ledger.ok) await work(ledger.value);
    };
    queue.run(id, withLedger).catch((error: unknown) => {
      seen.delete(id);
      onError({ name: 'usage', key: id, error, failures: 1, waitMs: 0 });
    });
  };
  const endsOf = (view: JobView): readonly JobStart[] =>
    startsOf(view).filter(({ endedAt }) => endedAt !== null);
  const addEnded = (view: JobView, notes: () => Notes): void => {
    earlier.delete(view.id);
    const ended = endsOf(view);
    if (ended.length <= (seen.get(view.id) ?? 0)) return;
    seen.set(view.id, ended.length);
    const project = projects.ofJob(view, notes());
    add(view.id, async (ledger) => {
      for (const start of ended) {
        if (ledger.has(view.id, start.attempt)) continue;
        await ledger.add(recordOf(view, await endedSpan(view, start, deps), project));
      }
    });
  };
  const noteOpen = (view: JobView): void => {
    if (jobHasEnded(view.state)) open.delete(view.id);
    else open.set(view.id, view);
  };
  const listening = [
    jobs.onChange((view) => {
      noteOpen(view);
      addEnded(view, () => jobs.list().find(({ id }) => id === view.id)?.spec.notes ?? {});
    }),
    jobs.onRemoved((id) => {
      const before = earlier.get(id);
      if (before !== undefined) addEnded(before.view, () => before.notes);
      seen.delete(id);
      const view = open.get(id);
      open.delete(id);
      const start = view === undefined ? undefined : startsOf(view).find(({ endedAt }) => endedAt === null);
      if (view === undefined || start === undefined) return;
      const project = projects.ofJob(view, {});
      add(id, (ledger) => ledger.add(recordOf(view, spanOf(view, start, clock.now()), project)));
    }),
  ];
  for (const { view, spec } of jobs.list()) {
    noteOpen(view);
    if (endsOf(view).length > 0) earlier.set(view.id, { view, notes: spec.notes });
  }
  const settled = (): Promise<unknown> =>
    Promise.race([queue.idle(), sleep(SETTLE_MS, undefined, { ref: false })]);
  return {
    catchUp: async () => {
      for (const { view, notes } of [...earlier.values()]) addEnded(view, () => notes);
      await settled();
    },
    close: async () => {
      for (const listener of listening) listener.dispose();
      await settled();
    },
  };
}

/** A start in time, and the GPUs that it held. */
export type Span = Pick<JobStart, 'attempt' | 'endIsKnown'> & {
  readonly gpus: number;
  readonly fromMs: number;
  readonly toMs: number;
};

/** A start as this computer saw it, up to now where it runs; where its machine is silent, up to when that began. */
export function spanOf(job: JobView, start: JobStart, nowMs: number): Span {
  const { state, gpuIds, resources } = job;
  const { attempt, endIsKnown } = start;
  const seenMs = state.kind === 'unknown' ? Date.parse(state.since) : nowMs;
  const fromMs = Date.parse(start.startedAt);
  const toMs = Math.max(fromMs, start.endedAt === null ? seenMs : Date.parse(start.endedAt));
  const gpus = Math.max(gpuIds.length, resources.gpus);
  const waits = state.kind === 'queued' || (state.kind === 'unknown' && state.last === 'queued');
  const isQueued = start.endedAt === null && waits;
  return { attempt, gpus, fromMs: isQueued ? toMs : fromMs, toMs, endIsKnown };
}

/**
 * The same for a start that has ended. A Slurm job may have waited and begun between two probes: its own record in its
 * allocation says when it began and which GPUs it got. A job that never ran has recorded nothing, and held none.
 */
async function endedSpan(job: JobView, start: JobStart, deps: RecordDeps): Promise<Span> {
  const span = spanOf(job, start, deps.clock.now());
  if (!deps.isSlurm(job.machineId)) return span;
  const answer = await deps.jobs.provenance(job.id);
  const found = answer.ok && answer.value?.attempt === start.attempt ? answer.value : null;
  if (found === null) return start.wasSeen ? span : { ...span, fromMs: span.toMs };
  const beganMs = Date.parse(found.at ?? '');
  const isPlausible = beganMs <= span.toMs && beganMs >= Date.parse(job.createdAt);
  const given = found.gpu?.names.length ?? 0;
  return { ...span, fromMs: isPlausible ? beganMs : span.fromMs, gpus: Math.max(given, span.gpus) };
}

/** The line of the ledger for a start. */
export function recordOf(job: JobView, span: Span, project: UsageProject | null): StartRecord {
  return {
    version: 1,
    jobId: job.id,
    attempt: span.attempt,
    name: job.name.slice(0, 200),
    machineId: job.machineId,
    purpose: job.purpose.slice(0, 60),
    project,
    gpus: span.gpus,
    startedAt: new Date(span.fromMs).toISOString(),
    endedAt: new Date(span.toMs).toISOString(),
    end: span.endIsKnown ? 'known' : 'noticed',
  };
}
