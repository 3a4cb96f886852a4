import type { PocketTraining, Problem } from '../../preload/contract/index';
import { randomStream, shuffled } from '../base/index';
import { pocketProblems } from '../pocket/index';
import { TrainerError } from './trainer-error';

function problemsOf(split: 'train' | 'validation' | 'test', seed: number, count: number): readonly Problem[] {
  try {
    return pocketProblems({ split, seed, count });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TrainerError({
      code: 'bad-input',
      message: `${error.message}.`,
      hint: 'Ask for fewer problems.',
    });
  }
}

/** Problems of the train split, in an order of their own for each pass over them. */
export class TrainingProblems {
  readonly #spec: PocketTraining;
  /** Made when the first is wanted: a training that learns nothing wants none. */
  #problems: readonly Problem[] | null = null;
  #pass = -1;
  #order: readonly Problem[] = [];

  constructor(spec: PocketTraining) {
    this.#spec = spec;
  }

  /** The problem of a lane's tree number `tree`, counted from 0; the same for every lane and method. */
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

/** Of no list of problems that anything else was chosen or shown by. */
const HELD_OUT_SEED = 5;

/**
 * Held out: no problem of them asks for a function that one of the train split asks for. They are the same for every
 * seed, so that trainings are compared on the same problems.
 */
export function heldOutProblems({ evaluation }: Pick<PocketTraining, 'evaluation'>): readonly Problem[] {
  return problemsOf(evaluation.split, HELD_OUT_SEED, evaluation.problems);
}
