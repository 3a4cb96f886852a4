import { z } from 'zod';
import type { GradingLimits, TestCase, TestResult } from '../../../preload/contract';
import { parsedJsonWithin } from '../../base';
import { compareCall } from './compare-call';
import { judge, resultWithoutRun } from './judge';
import type { RunnerReport } from './runner-work';

const outcomesSchema = z.array(
  z.object({
    end: z.enum(['finished', 'no-json', 'error', 'time']),
    output: z.string().nullable().default(null),
    error: z.string().nullable().default(null),
    cpuMs: z.number().nonnegative(),
    wallMs: z.number().nonnegative(),
  }),
);

/** More than the parts of one outcome, so that the list of them never costs more than its texts. */
const OUTCOME_PARTS = 16;

/**
 * The results of all tests that ran in one process, up to and including the first failure, where LiveCodeBench's grader
 * stops. A process that ended early passed none.
 */
export function judgePublished(
  tests: readonly TestCase[],
  report: RunnerReport,
  limits: GradingLimits,
): readonly TestResult[] {
  const first = tests[0];
  if (first === undefined) return [];
  if (tests.some((test) => test.kind === 'call' && compareCall('null', test.expected) === 'no-expectation')) {
    return [resultWithoutRun('runtime-error', "A test's expected value is not JSON, so no test is run.")];
  }
  if (report.end !== 'finished') return [judge(first, report, limits)];
  const outcomes = outcomesSchema.safeParse(
    parsedJsonWithin(report.output ?? '', { depth: 2, parts: OUTCOME_PARTS * (tests.length + 1) }),
  );
  if (!outcomes.success)
    return [resultWithoutRun('runtime-error', 'The program damaged the report on its tests.')];
  const results: TestResult[] = [];
  for (const [index, outcome] of outcomes.data.entries()) {
    const test = tests[index];
    if (test === undefined) break;
    const output = (outcome.output?.length ?? 0) > limits.outputBytes ? 'output' : outcome.end;
    const result = judge(test, { ...outcome, end: output }, limits);
    results.push(result);
    if (result.verdict !== 'passed') break;
  }
  return results;
}
