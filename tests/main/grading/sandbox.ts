import { join } from 'node:path';
import { type GradeRequest, type Grader, openSandboxGrader } from '../../../main/grading';
import type { Grade, GradingLimits } from '../../../preload/contract';

export const RESOURCES = join(import.meta.dirname, '../../../resources');

export const LIMITS: GradingLimits = {
  cpuSeconds: 1,
  wallSeconds: 3,
  memoryBytes: 512 * 1024 * 1024,
  processes: 16,
  outputBytes: 1024 * 1024,
};

/** The grader of this computer; a computer without a sandbox fails the test with what to type. */
export async function openGrader(concurrency = 2): Promise<Grader> {
  const opened = await openSandboxGrader({ resourcesDir: RESOURCES, concurrency, allowUnsandboxed: false });
  if (!opened.ok) throw new Error(`${opened.error.message} ${opened.error.hint ?? ''}`);
  return opened.value;
}

export async function grade(grader: Grader, request: Partial<GradeRequest>): Promise<Grade> {
  const graded = await grader.grade({
    program: '',
    entryPoint: null,
    tests: [],
    limits: LIMITS,
    stopAtFirstFailure: false,
    ...request,
  });
  if (!graded.ok) throw new Error(graded.error.message);
  return graded.value;
}
