import type { TestResult } from '../../preload/contract';
import { resultWithoutRun } from './logic/judge';
import { type RunnerWork, wholeAsk } from './logic/runner-work';
import { TestSchedule } from './logic/test-schedule';
import type { RunnerProcess } from './runner-process';

export type Attempt =
  | { readonly kind: 'done'; readonly results: readonly TestResult[] }
  /** The sandbox failed. `during` is the index of the test that ran when the runner fell silent, else null. */
  | {
      readonly kind: 'broken';
      readonly reason: string;
      readonly during: number | null;
      readonly results: readonly TestResult[];
    };

/** The sandbox can run no further test, and some are still to be run: by another one, with the same schedule. */
export type Spent = { readonly kind: 'spent' };

/** A runner that is this late hangs: its start takes some 40 ms, and it keeps a test's wall limit itself. */
const START_PATIENCE_MS = 30_000;
const REPORT_PATIENCE_MS = 15_000;

const BROKEN_REPORT = resultWithoutRun('runtime-error', 'The program broke the report on its calls.');

/** Where a failure ends the grade of a check, the runner itself sees it; of all else only this side does. */
const runnerStops = (work: RunnerWork, stopAtFirstFailure: boolean): boolean =>
  stopAtFirstFailure && work.asks.every((ask) => ask.kind === 'check');

export function scheduleOf(work: RunnerWork, stopAtFirstFailure: boolean): TestSchedule {
  const stopsHere = stopAtFirstFailure && !runnerStops(work, true);
  return new TestSchedule(work.asks.length, work.sharesProcess, stopsHere);
}

/** Runs tests of one candidate in one sandbox until the schedule is done; the caller ends the sandbox. */
export async function attemptGrade(
  runner: RunnerProcess,
  work: RunnerWork,
  stopAtFirstFailure: boolean,
  schedule: TestSchedule,
): Promise<Attempt | Spent> {
  const { asks, limits } = work;
  const broken = (reason: string, during: number | null): Attempt => ({
    kind: 'broken',
    reason,
    during,
    results: schedule.results,
  });

  const ready = await runner.ready(START_PATIENCE_MS);
  if (ready.kind === 'silence') return broken(ready.reason, null);
  runner.begin(work);
  const stops = runnerStops(work, stopAtFirstFailure);
  /** Tests of which all calls are asked for. */
  const whole = new Set<number>();
  const askOf = (index: number) => {
    const ask = asks[index];
    return ask !== undefined && whole.has(index) ? wholeAsk(ask) : ask;
  };
  while (!schedule.isDone) {
    const batch = schedule.next();
    for (const { index, way, stays } of batch) {
      const ask = askOf(index);
      if (ask !== undefined) runner.send(ask, { way, stays, stops });
    }
    runner.flush();
    for (const [place, { index }] of batch.entries()) {
      const ask = askOf(index);
      if (ask === undefined) continue;
      const heard = await runner.report(ask, limits.wallSeconds * 1_000 + REPORT_PATIENCE_MS);
      if (heard.kind === 'silence') return broken(heard.reason, index);
      const { value } = heard;
      if (value.kind === 'not-run') {
        if (value.wasTooSlow) schedule.stopSharing();
        schedule.putBack(index, value.wasTooSlow);
      } else {
        const judged = work.resultsOf(index, value.report);
        if (judged === 'paused' && !whole.has(index)) {
          whole.add(index);
          schedule.putBack(index, true);
        } else {
          // Nothing pauses that is asked for all calls.
          const results = judged === 'paused' ? [BROKEN_REPORT] : judged;
          const fault = results.find((result) => result.verdict === 'sandbox-fault');
          if (fault !== undefined) return broken(fault.error ?? 'The runner failed.', null);
          schedule.take(index, results, value.wasShared);
          // The runner passes over all further ones without a word.
          if (stops && results.some((result) => result.verdict !== 'passed')) {
            return { kind: 'done', results: schedule.results };
          }
        }
      }
      if (runner.isSpent) {
        for (const rest of batch.slice(place + 1)) schedule.putBack(rest.index, false);
        return schedule.isDone ? { kind: 'done', results: schedule.results } : { kind: 'spent' };
      }
    }
  }
  return { kind: 'done', results: schedule.results };
}
