import type { GradingLimits } from '../../preload/contract';
import { counted } from '../base/index';
import { POCKET_GENERATOR_VERSION, type ProblemOptions } from '../pocket';
import type { NewBenchmark } from './benchmark-store';

/** Pocket programs run for some milliseconds; an endless loop need not be waited for as long as a real one. */
const pocketLimits: GradingLimits = {
  cpuSeconds: 2,
  wallSeconds: 10,
  memoryBytes: 512 * 1024 ** 2,
  processes: 16,
  outputBytes: 1024 ** 2,
};

/** Each split has this many different problems. */
const MAX_PROBLEMS = 1_000;

/** The options of a generated benchmark with this id, e.g. "pocket-test-1-60"; null: it is no such id. */
export function pocketOptionsOf(id: string): ProblemOptions | null {
  const [, split, seed, count] = /^pocket-(train|validation|test)-(\d{1,9})-(\d{1,4})$/.exec(id) ?? [];
  if (split === undefined || !isSplit(split)) return null;
  const problems = Number(count);
  return problems >= 1 && problems <= MAX_PROBLEMS ? { split, seed: Number(seed), count: problems } : null;
}

function isSplit(text: string): text is ProblemOptions['split'] {
  return text === 'train' || text === 'validation' || text === 'test';
}

/** The record of a generated benchmark; its `source` says all that its problems follow from. */
export function pocketBenchmark({ split, seed, count }: ProblemOptions): NewBenchmark {
  return {
    id: `pocket-${split}-${seed}-${count}`,
    name: `Pocket, ${split} split, seed ${seed}`,
    scale: 'pocket',
    source: `Generator ${POCKET_GENERATOR_VERSION}, ${split} split, seed ${seed}, ${counted(count, 'problem')}`,
    limits: pocketLimits,
    notes: [],
    rules: 'plain',
    version: POCKET_GENERATOR_VERSION,
    licence: null,
  };
}
