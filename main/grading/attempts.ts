import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestResult } from '../../preload/contract';
import { type CommonWork, commonWorkOf } from './common-process-frames';
import type { CommonQueue } from './common-queue';
import { attemptGrade, type GradeAttempt, type SandboxExhausted, scheduleOf } from './grade-attempt';
import type { GradeRequest } from './grader';
import type { CandidateWork } from './logic/runner-work';
import type { StopAfter, TestSchedule } from './logic/test-schedule';
import type { RunnerPool } from './runner-pool';
import type { Slots } from './slots';

/** Pause before each attempt: most causes of a failed sandbox (e.g. a full process table) are temporary. */
const PAUSES_MS = [0, 150, 600] as const;

/** Results of the first tests of a candidate, a list per runner test. */
export type KnownResults = readonly (readonly TestResult[])[];

/** `begun`: results of the first tests that are known already. */
export type Attempt = (
  work: CandidateWork,
  stopAfter: StopAfter,
  signal: AbortSignal,
  begun?: KnownResults,
) => Promise<GradeAttempt>;

/** Runs candidates in processes of their own. `isBare`: without a sandbox. */
export function createAttempts(deps: {
  readonly isBare: boolean;
  readonly pool: RunnerPool;
  readonly slots: Slots;
  readonly concurrency: number;
}): Attempt {
  const { isBare, pool, slots, concurrency } = deps;
  return async (
    work: CandidateWork,
    stopAfter: StopAfter,
    signal: AbortSignal,
    begun: KnownResults = [],
  ): Promise<GradeAttempt> => {
    // Without a sandbox other programs make processes too, so the runner cannot tell which are the candidate's.
    const ours: CandidateWork = isBare ? { ...work, mayShareProcess: false } : work;
    const schedule = scheduleOf(ours, stopAfter);
    schedule.startWith(begun);
    const retryUntilDone = async (): Promise<GradeAttempt> => {
      while (!schedule.isDone) {
        const done = await attemptFrom(pool, schedule, ours, stopAfter, signal);
        if (done.kind !== 'spent') return done;
      }
      return { kind: 'done', results: schedule.results };
    };
    const first = await attemptFrom(pool, schedule, ours, stopAfter, signal);
    if (first.kind !== 'spent') return first;
    // Each further test of a slow program may take its whole limit: free slots run some of them meanwhile.
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const more = Math.max(0, Math.min(concurrency, schedule.parallelTests) - 1);
    const others = Array.from({ length: more }, () => slots.run(retryUntilDone, over.signal, true));
    const own = await retryUntilDone();
    // Those that have no slot yet leave the queue: all slots may be held by programs that wait for others like these.
    over.abort();
    const attempts = [own, ...(await Promise.all(others))];
    return (
      attempts.find((attempt) => attempt?.kind === 'broken') ?? { kind: 'done', results: schedule.results }
    );
  };
}

/** One runner takes tests from the schedule, until it has none or one of them has spent its time. */
async function attemptFrom(
  pool: RunnerPool,
  schedule: TestSchedule,
  work: CandidateWork,
  stopAfter: StopAfter,
  signal: AbortSignal,
): Promise<GradeAttempt | SandboxExhausted> {
  let runner: Awaited<ReturnType<RunnerPool['take']>>;
  try {
    runner = await pool.take();
  } catch (error) {
    return { kind: 'broken', reason: String(error), during: null, results: schedule.results };
  }
  const stop = () => pool.end(runner);
  let isDone = false;
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    const done = await attemptGrade(runner, work, stopAfter, schedule);
    isDone = done.kind !== 'broken';
    return done;
  } finally {
    signal.removeEventListener('abort', stop);
    if (isDone) pool.giveBack(runner);
    else pool.end(runner);
  }
}

/** Results of the candidate's first tests, perhaps of all, from the common process; empty if it may not run there. */
export async function gradeInCommonProcess(
  queue: CommonQueue | null,
  candidate: () => CandidateWork,
  request: GradeRequest,
  signal: AbortSignal,
): Promise<KnownResults> {
  const work = queue === null ? null : commonWork(request, candidate());
  const reports = work === null ? null : await queue?.run(work, signal);
  // Tests with pauses get their own processes.
  const begun = reports?.map((report, index) => work?.resultsOf(index, report) ?? []) ?? [];
  return begun.filter((results) => results !== 'paused');
}

/** null: these tests cannot run in the common process, whatever the program does. */
function commonWork(request: GradeRequest, work: CandidateWork): CommonWork | null {
  return work.runnerTests.length === request.tests.length
    ? commonWorkOf(work, request.stopAtFirstFailure)
    : null;
}

/** Tries again where the sandbox failed. `results` null: it failed each time, or was cancelled. */
export async function retryAttempt(
  once: () => Promise<GradeAttempt>,
  signal: AbortSignal,
): Promise<{
  readonly results: readonly TestResult[] | null;
  readonly broken: Extract<GradeAttempt, { kind: 'broken' }>[];
}> {
  const broken: Extract<GradeAttempt, { kind: 'broken' }>[] = [];
  for (const pauseMs of PAUSES_MS) {
    if (pauseMs > 0) await pause(pauseMs);
    if (signal.aborted) break;
    const attempt = await once();
    if (signal.aborted) break;
    if (attempt.kind === 'done') return { results: attempt.results, broken };
    broken.push(attempt);
  }
  return { results: null, broken };
}
