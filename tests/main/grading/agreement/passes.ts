import type { Grader, Reading } from '../../../../main/grading';
import type { GradingLimits } from '../../../../preload/contract';
import { type GradingCase, PUBLISHED_SECONDS } from '../../../support/grading-case';

const GIB = 1024 ** 3;

/** The published seconds, as CPU time; by the clock there is more, so that a busy machine changes no verdict. */
export function limitsOf(rules: GradingCase['rules']): GradingLimits {
  const cpuSeconds = PUBLISHED_SECONDS[rules];
  const sizes = { memoryBytes: 4 * GIB, processes: 64, outputBytes: 16 * 1024 * 1024 };
  return { cpuSeconds, wallSeconds: cpuSeconds * 5, ...sizes };
}

/** Our verdict on a case, by one reading. `explanation`: the verdict and the error's last line. */
export async function passes(
  grader: Grader,
  one: GradingCase,
  reading: Reading,
): Promise<{ readonly passed: boolean; readonly explanation: string }> {
  const { program, entryPoint, tests, rules } = one;
  const limits = limitsOf(rules);
  const grade = await grader.grade({
    program,
    entryPoint,
    tests,
    rules,
    reading,
    limits,
    stopAtFirstFailure: true,
  });
  if (!grade.ok) throw new Error(grade.error.message);
  const error = grade.value.results.at(-1)?.error?.split('\n').at(-1) ?? '';
  return { passed: grade.value.verdict === 'passed', explanation: `${grade.value.verdict} ${error}`.trim() };
}
