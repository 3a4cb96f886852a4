import { type Grader, openSandboxGrader } from '../../../main/grading';
import type { Family, PocketPolicy } from '../../../main/pocket';
import { POCKET_LIMITS } from '../../../main/trainer/pocket/pocket-problems';
import { VerdictCache } from '../../../main/trainer/verdict-cache';
import { basePolicy } from '../../support/base-policies';
import { RESOURCES } from '../grading/sandbox';

/** Pre-trained policies by family, and verdicts of the real sandbox. */
export type BaseFixture = {
  readonly grader: Grader;
  readonly cache: VerdictCache;
  readonly policies: ReadonlyMap<string, PocketPolicy>;
};

/** Pre-training takes seconds of computing: tests that open the fixture wait for it this long. */
export const OPENING_MS = 300_000;

/** The caller disposes of the grader. */
export async function openBaseFixture(families: readonly Family[]): Promise<BaseFixture> {
  const opened = await openSandboxGrader({
    resourcesDir: RESOURCES,
    allowUnsandboxed: false,
    concurrency: 2,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const policies = new Map(
    await Promise.all(families.map(async (family) => [family, await basePolicy(family)] as const)),
  );
  return {
    grader: opened.value,
    cache: new VerdictCache(opened.value, { limits: POCKET_LIMITS, faults: 'fatal' }),
    policies,
  };
}
