import type { Grader, GradingMode } from '../../../../main/grading';
import type { GradingLimits } from '../../../../preload/contract';
import { type GradingCase, PUBLISHED_SECONDS } from '../../../support/grading-case';

const GIB = 1024 ** 3;

/**
 * CPU time where the published graders measure by the clock, so that a busy machine changes no verdict. It is less than
 * they give: of the corpus some programs never end, and all others take hundredths of a second.
 */
const LIMITS: GradingLimits = {
  cpuSeconds: 1,
  wallSeconds: 5 * Math.max(...Object.values(PUBLISHED_SECONDS)),
  memoryBytes: 4 * GIB,
  processes: 64,
  outputBytes: 16 * 1024 * 1024,
};

/** Our verdict on a case, by one reading. `explanation`: the verdict and the error's last line. */
export async function passes(
  grader: Grader,
  one: GradingCase,
  reading: GradingMode,
): Promise<{ readonly passed: boolean; readonly explanation: string }> {
  const { program, entryPoint, tests, rules } = one;
  const grade = await grader.grade({
    program,
    entryPoint,
    tests,
    rules,
    mode: reading,
    limits: LIMITS,
    stopAtFirstFailure: true,
  });
  if (!grade.ok) throw new Error(grade.error.message);
  const error = grade.value.results.at(-1)?.error?.split('\n').at(-1) ?? '';
  return { passed: grade.value.verdict === 'passed', explanation: `${grade.value.verdict} ${error}`.trim() };
}
