import { join } from 'node:path';
import type { GradeRequest, Grader } from '../../../main/grading';
import type { LauncherKind } from '../../../main/grading/launcher';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import type { Grade, GradingLimits } from '../../../preload/contract';

export const RESOURCES = join(import.meta.dirname, '../../../resources');

export const LIMITS: GradingLimits = {
  cpuSeconds: 1,
  wallSeconds: 3,
  memoryBytes: 512 * 1024 * 1024,
  processes: 16,
  outputBytes: 1024 * 1024,
};

/** For programs that only their limit ends: it need not be far. */
export const SOON_OVER: GradingLimits = { ...LIMITS, cpuSeconds: 0.25 };

/** For `expect.poll`: its own second is not enough on a busy computer. */
export const PATIENT_POLL = { timeout: 120_000 } as const;

/** A grader over runners of this kind; a computer that cannot start them fails the test with what to type. */
export async function openGrader(concurrency = 2, kind: LauncherKind = 'shared'): Promise<Grader> {
  const launcher = await launcherOf(RESOURCES, [kind]);
  if (!launcher.ok) throw new Error(`${launcher.error.message} ${launcher.error.hint ?? ''}`);
  return createGrader(launcher.value, concurrency);
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
