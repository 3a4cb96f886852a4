import { type Grader, openSandboxGrader } from '../../../main/grading';
import { type Family, loadPolicy, type PocketPolicy, pretrain } from '../../../main/pocket';
import { VerdictCache } from '../../../main/trainer/verdict-cache';
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
  const policies = new Map(families.map((family) => [family, pretrained(family)]));
  return { grader: opened.value, cache: new VerdictCache(opened.value), policies };
}

function pretrained(family: Family): PocketPolicy {
  const policy = loadPolicy(pretrain({ family, seed: 1 }));
  if (!policy.ok) throw new Error(policy.error.message);
  return policy.value;
}
