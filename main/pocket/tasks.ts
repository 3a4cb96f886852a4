import type { Random } from '../base';
import { type Example, publicExamples } from './examples';
import type { Program } from './operations';
import { randomProgram } from './random-program';
import { equalsShorter, isInteresting, type Split, signatureOf, splitOf } from './signature';
import { type Wording, wordingOf } from './statement';

/** A reference program with its statement's content. Problems and pre-training items are made from tasks. */
export type Task = {
  readonly program: Program;
  readonly signature: string;
  readonly wording: Wording;
  readonly examples: readonly Example[];
};

export type TaskSource = {
  readonly split: Split;
  /** Steps of the reference program. */
  readonly length: number;
  /** Indices of the operations that may be drawn; all when left out. */
  readonly allowed?: readonly number[];
};

/** Attempts in a row without a new task after which the source counts as exhausted. */
const MAX_TRIES_WITHOUT_TASK = 20_000;

/**
 * The next task with a signature that `accept` allows, or null when the source is exhausted. Skips programs that are
 * equal to a shorter one, that give too few different results, or that belong to another split.
 */
export function nextTask(
  source: TaskSource,
  random: Random,
  accept: (signature: string) => boolean,
): Task | null {
  for (let attempt = 0; attempt < MAX_TRIES_WITHOUT_TASK; attempt++) {
    const program = randomProgram(source.length, random, source.allowed);
    const signature = signatureOf(program);
    if (splitOf(signature) !== source.split || !accept(signature)) continue;
    if (equalsShorter(program, signature) || !isInteresting(program)) continue;
    const examples = publicExamples(program, random);
    if (examples === null) continue;
    return { program, signature, examples, wording: wordingOf(program, random) };
  }
  return null;
}
