import type { TestResult } from '../../preload/contract';
import type { GradeRequest } from './grader';
import { resultWithoutRun } from './logic/judge';
import { type CandidateWork, withoutPause } from './logic/runner-work';
import { reachedTimeLimit, type StopAfter, TestSchedule } from './logic/test-schedule';
import type { RunnerProcess } from './runner-process';

export type GradeAttempt =
  | { readonly kind: 'done'; readonly results: readonly TestResult[] }
  /** The sandbox failed. `during` is the index of the test that ran when the runner stopped answering, else null. */
  | {
      readonly kind: 'broken';
      readonly reason: string;
      readonly during: number | null;
      readonly results: readonly TestResult[];
    };

/** The sandbox can run no further test; another one has to continue with the same schedule. */
export type SandboxExhausted = { readonly kind: 'spent' };

/** A runner this late hangs: its start takes some 40 ms, and it enforces a test's wall limit itself. */
const START_TIMEOUT_MS = 30_000;
const REPORT_TIMEOUT_MS = 15_000;

const BROKEN_REPORT = resultWithoutRun('runtime-error', 'The program damaged the report on its calls.');

/** Whether the runner itself can stop at the first failure: only failures of checks are visible to it. */
const stopsInRunner = (work: CandidateWork, stopAfter: StopAfter): boolean =>
  stopAfter === 'failure' && work.runnerTests.every((ask) => ask.kind === 'check');

export function scheduleOf(work: CandidateWork, stopAfter: StopAfter): TestSchedule {
  const stopsHere = stopsInRunner(work, stopAfter) ? 'nothing' : stopAfter;
  return new TestSchedule(work.runnerTests.length, work.mayShareProcess, stopsHere);
}

/**
 * Runs tests of one candidate in one sandbox until the schedule is done; the caller ends the sandbox. It is spent once a
 * test has reached its time limit with others requested behind it: they run in other ones, or not at all.
 */
export async function attemptGrade(
  runner: RunnerProcess,
  work: CandidateWork,
  stopAfter: StopAfter,
  schedule: TestSchedule,
): Promise<GradeAttempt | SandboxExhausted> {
  const { runnerTests: asks, limits } = work;
  const broken = (reason: string, during: number | null): GradeAttempt => ({
    kind: 'broken',
    reason,
    during,
    results: schedule.results,
  });

  const ready = await runner.ready(START_TIMEOUT_MS);
  if (ready.kind === 'silence') return broken(ready.reason, null);
  runner.sendCandidate(work);
  const stops = stopsInRunner(work, stopAfter);
  /** Tests that are requested without a pause. */
  const completeTests = new Set<number>();
  const askOf = (index: number) => {
    const ask = asks[index];
    return ask !== undefined && completeTests.has(index) ? withoutPause(ask) : ask;
  };
  while (!schedule.isDone) {
    const batch = schedule.next();
    for (const { index, way, stays } of batch) {
      const ask = askOf(index);
      if (ask !== undefined) runner.sendTest(ask, { way, stays, stops });
    }
    runner.flush();
    for (const [position, { index }] of batch.entries()) {
      const ask = askOf(index);
      if (ask === undefined) continue;
      const answer = await runner.report(ask, limits.wallSeconds * 1_000 + REPORT_TIMEOUT_MS);
      if (answer.kind === 'silence') return broken(answer.reason, index);
      const { value } = answer;
      if (value.kind === 'not-run') {
        if (value.wasTooSlow) schedule.stopSharing();
        schedule.putBack(index, value.wasTooSlow);
      } else {
        const judged = work.resultsOf(index, value.report);
        if (judged === 'paused' && !completeTests.has(index)) {
          completeTests.add(index);
          schedule.putBack(index, true);
        } else {
          // A test without a pause cannot be paused.
          const results = judged === 'paused' ? [BROKEN_REPORT] : judged;
          const failure = results.find((result) => result.verdict === 'sandbox-fault');
          if (failure !== undefined) return broken(failure.error ?? 'The runner failed.', null);
          schedule.take(index, results, value.wasShared);
          // The runner skips all further tests without a report.
          if (stops && results.some((result) => result.verdict !== 'passed')) {
            return { kind: 'done', results: schedule.results };
          }
          if (reachedTimeLimit(results) && position + 1 < batch.length) runner.leave();
        }
      }
      if (runner.isSpent) {
        for (const rest of batch.slice(position + 1)) schedule.putBack(rest.index, false);
        return schedule.isDone ? { kind: 'done', results: schedule.results } : { kind: 'spent' };
      }
    }
  }
  return { kind: 'done', results: schedule.results };
}

/**
 * If the runner fails at the same test each time, the program caused it; any other failure is ours. The tests that were
 * not run get the same result.
 */
export function resultsOfBroken(
  request: Pick<GradeRequest, 'tests' | 'stopAtFirstFailure'>,
  broken: readonly Extract<GradeAttempt, { kind: 'broken' }>[],
): readonly TestResult[] {
  const last = broken.at(-1);
  const done = last?.results ?? [];
  const sameTest =
    last !== undefined && last.during !== null && broken.every((b) => b.during === last.during);
  const result = sameTest
    ? resultWithoutRun('runtime-error', 'The program ended the process that runs it.')
    : resultWithoutRun('sandbox-fault', last?.reason ?? null);
  const missing = request.stopAtFirstFailure ? 1 : request.tests.length - done.length;
  return [...done, ...Array.from({ length: missing }, () => result)];
}
