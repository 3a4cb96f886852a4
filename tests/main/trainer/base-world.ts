import { type Grader, openSandboxGrader } from '../../../main/grading';
import { type Family, loadPolicy, type PocketPolicy, pretrain } from '../../../main/pocket';
import { VerdictBook } from '../../../main/trainer/verdict-book';
import { RESOURCES } from '../grading/sandbox';

/** Pre-trained policies by family, and verdicts of the real sandbox. */
export type BaseWorld = {
  readonly grader: Grader;
  readonly book: VerdictBook;
  readonly policies: ReadonlyMap<string, PocketPolicy>;
};

/** Pre-training takes seconds of computing: tests that open a world wait for it this long. */
export const OPENING_MS = 300_000;

/** The caller disposes of the grader. */
export async function openBaseWorld(families: readonly Family[]): Promise<BaseWorld> {
  const opened = await openSandboxGrader({
    resourcesDir: RESOURCES,
    allowUnsandboxed: false,
    concurrency: 2,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const policies = new Map(families.map((family) => [family, pretrained(family)]));
  return { grader: opened.value, book: new VerdictBook(opened.value), policies };
}

function pretrained(family: Family): PocketPolicy {
  const policy = loadPolicy(pretrain({ family, seed: 1 }));
  if (!policy.ok) throw new Error(policy.error.message);
  return policy.value;
}
