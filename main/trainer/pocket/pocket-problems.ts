import type { GradingLimits, PocketTraining, Problem } from '../../../preload/contract/index';
import { HELD_OUT_SEED } from '../../../preload/contract/plans/index';
import { randomStream, shuffled } from '../../base/index';
import type { Grader } from '../../grading/index';
import { pocketProblems } from '../../pocket/index';
import { TrainerError } from '../trainer-error';
import type { TrainingEnvironment } from '../training-environment';
import { VerdictCache } from '../verdict-cache';

/** Same as for the pocket benchmark, whose programs run for some milliseconds. */
export const POCKET_LIMITS: GradingLimits = {
  cpuSeconds: 2,
  wallSeconds: 10,
  memoryBytes: 512 * 1024 ** 2,
  processes: 16,
  outputBytes: 1024 ** 2,
};

function problemsOf(split: 'train' | 'validation' | 'test', seed: number, count: number): readonly Problem[] {
  try {
    return pocketProblems({ split, seed, count });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TrainerError({
      code: 'bad-input',
      message: `${error.message}.`,
      hint: 'Use fewer problems.',
    });
  }
}

/** Problems of the train split, shuffled again for each pass. */
export class TrainingProblems {
  readonly #spec: PocketTraining;
  /** Created on demand: a training without updates needs none. */
  #problems: readonly Problem[] | null = null;
  #pass = -1;
  #order: readonly Problem[] = [];

  constructor(spec: PocketTraining) {
    this.#spec = spec;
  }

  /** The problem of tree number `tree` (from 0), the same for every group and method. */
  of(tree: number): Problem {
    const { seed, problems: count } = this.#spec;
    this.#problems ??= problemsOf('train', seed, count);
    const pass = Math.floor(tree / count);
    if (pass !== this.#pass) {
      this.#order = shuffled(this.#problems, randomStream('pocket-training-order', seed, pass));
      this.#pass = pass;
    }
    return this.#order[tree % count] as Problem;
  }
}

/**
 * Held-out problems: none asks for a function that occurs in the train split. The same for every seed, so that trainings
 * are compared on the same problems.
 */
export function heldOutProblems({ evaluation }: Pick<PocketTraining, 'evaluation'>): readonly Problem[] {
  return problemsOf(evaluation.split, HELD_OUT_SEED, evaluation.problems);
}

/** Generated problems: those of the train split to learn from, those of another split to evaluate on. */
export function pocketEnvironment(
  spec: PocketTraining,
  grader: Pick<Grader, 'grade' | 'health'>,
): TrainingEnvironment {
  const training = new TrainingProblems(spec);
  const heldOut = new Map(heldOutProblems(spec).map((problem) => [problem.id, problem]));
  return {
    benchmarkId: 'pocket',
    problemOf: async (tree) => training.of(tree),
    heldOut: [...heldOut.keys()],
    heldOutProblem: async (id) => heldOut.get(id) as Problem,
    split: spec.evaluation.split,
    verdicts: new VerdictCache(grader, { limits: POCKET_LIMITS, faults: 'fatal' }),
  };
}
