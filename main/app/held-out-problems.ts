import { setImmediate as breathe } from 'node:timers/promises';
import type { ExperimentRequest } from '../../preload/contract/index';
import { HELD_OUT_SEED, PLAIN_POCKET_TRAINING } from '../../preload/contract/plans/index';
import { runStepsYielding } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { HeldOutProblem } from '../metrics/index';
import { pocketProblemSteps } from '../pocket/index';

type Library = Pick<BenchmarkLibrary, 'list' | 'outline'>;

/**
 * Reads what is known of the problems that the trainings of an experiment are evaluated on: the generated ones are generated
 * again, once each; those of a benchmark are as the library has it now, none where it has it no more.
 */
export function heldOutProblemReader(
  library: Library,
): (request: ExperimentRequest) => Promise<readonly HeldOutProblem[]> {
  const generated = new Map<string, Promise<readonly HeldOutProblem[]>>();
  return async ({ training, models }) => {
    if (models !== undefined) {
      const { evaluation, problems } = models.spec;
      return outlined(library, (evaluation.on ?? problems).benchmarkId);
    }
    const { split, problems: count } = training.evaluation ?? PLAIN_POCKET_TRAINING.evaluation;
    const key = `${split} ${count}`;
    const made = generated.get(key) ?? generate(split, count);
    generated.set(key, made);
    return made;
  };
}

async function generate(split: 'validation' | 'test', count: number): Promise<readonly HeldOutProblem[]> {
  const problems = await runStepsYielding(pocketProblemSteps({ split, seed: HELD_OUT_SEED, count }), () =>
    breathe(),
  );
  // The library's name for them.
  const benchmarkId = `pocket-${split}-${HELD_OUT_SEED}-${count}`;
  return problems.map(({ id, title, difficulty, date }) => {
    return { id, title, difficulty, date, platform: null, benchmarkId };
  });
}

async function outlined(library: Library, benchmarkId: string): Promise<readonly HeldOutProblem[]> {
  if (!library.list().some(({ id }) => id === benchmarkId)) return [];
  const outline = await library.outline(benchmarkId);
  return outline.ok ? outline.value.map((problem) => ({ ...problem, benchmarkId })) : [];
}
