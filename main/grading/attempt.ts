import type { TestResult } from '../../preload/contract';
import type { GradeRequest } from './grader';
import { judge } from './logic/judge';
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

/** A runner that is this late hangs: its start takes some 40 ms, and it keeps a test's wall limit itself. */
const START_PATIENCE_MS = 30_000;
const REPORT_PATIENCE_MS = 15_000;

/** Runs the tests of one candidate in one sandbox; the caller ends the sandbox. */
export async function attemptGrade(
  runner: RunnerProcess,
  request: GradeRequest,
  program: string,
): Promise<Attempt> {
  const { tests, limits } = request;
  const results: TestResult[] = [];
  const broken = (reason: string, during: number | null): Attempt => ({
    kind: 'broken',
    reason,
    during,
    results,
  });

  const ready = await runner.ready(START_PATIENCE_MS);
  if (ready.kind === 'silence') return broken(ready.reason, null);
  runner.begin({ program, entryPoint: request.entryPoint, limits });
  // Where a failure ends the grade, each test waits for the verdict on the one before; else none waits.
  if (!request.stopAtFirstFailure) for (const test of tests) runner.send(test);
  for (const [index, test] of tests.entries()) {
    if (request.stopAtFirstFailure) runner.send(test);
    const heard = await runner.report(limits.wallSeconds * 1_000 + REPORT_PATIENCE_MS);
    if (heard.kind === 'silence') return broken(heard.reason, index);
    const result = judge(test, heard.value, limits);
    if (result.verdict === 'sandbox-fault') return broken(result.error ?? 'The runner failed.', null);
    results.push(result);
    if (request.stopAtFirstFailure && result.verdict !== 'passed') break;
  }
  return { kind: 'done', results };
}
