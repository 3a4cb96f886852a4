import type { PassCount } from '../../preload/contract/index';
import { type Evaluator, heldOutAttempts } from './evaluation';
import type { LearningInput } from './learning-input';
import { type MeasurementPlace, measurePassCounts, readPassCounts } from './pass-counts';
import { chooseProblems } from './problem-choice';
import type { Progress } from './progress';
import type { World } from './world';

/** Counts on the held-out problems before the first update, within the training's folder. */
const HELD_OUT_FILE = 'before-training.json';

/** What is measured with the untrained policies before the first round. */
export type BeforeTraining = {
  /** Of the problems that were kept; without a choice, all. */
  readonly problemOf: World['problemOf'];
  /** First attempts at the held-out problems; null: not counted. */
  readonly heldOut: readonly PassCount[] | null;
};

/**
 * Measures what the training asks for, or reads what an earlier session measured. `hasTrained`: the policies are no
 * longer the untrained ones. Throws TrainingStopped, and TrainerError.
 */
export async function measureBeforeTraining<Trace>(
  {
    learning,
    world,
    evaluator,
  }: { readonly learning: LearningInput; readonly world: World; readonly evaluator: Evaluator<Trace> },
  {
    hasTrained,
    progress,
    ...place
  }: Omit<MeasurementPlace, 'onProgress'> & { readonly hasTrained: boolean; readonly progress: Progress },
): Promise<BeforeTraining> {
  const { choose, measuresBefore, spec } = learning;
  let { problemOf } = world;
  // Without updates nothing is trained on, and the evaluation at the end is of the untrained policies.
  if (spec.method === 'base') return { problemOf, heldOut: null };
  const placeOf = (subject: string): MeasurementPlace => ({
    ...place,
    onProgress: (done, of) => progress.measuring(done, of, subject),
  });
  if (choose !== undefined) {
    const { deps } = evaluator;
    const training = { ...placeOf('problems'), hasTrained };
    const chosen = await chooseProblems({ learning, choose, world, deps }, training);
    problemOf = chosen.problemOf;
    await progress.choseProblems(chosen.kept);
  }
  if (measuresBefore !== true || world.heldOut.length === 0) return { problemOf, heldOut: null };
  const heldOut = placeOf('held-out problems');
  return {
    problemOf,
    heldOut: hasTrained
      ? await countedEarlier(world, heldOut)
      : await measurePassCounts(
          {
            file: HELD_OUT_FILE,
            problemIds: world.heldOut,
            problem: world.heldOutProblem,
            attempts: (problem, signal) =>
              heldOutAttempts(problem, { ...evaluator, deps: { ...evaluator.deps, signal } }),
          },
          heldOut,
        ),
  };
}

/** null: a training of an earlier version did not count them. */
async function countedEarlier(
  { heldOut }: Pick<World, 'heldOut'>,
  place: MeasurementPlace,
): Promise<readonly PassCount[] | null> {
  const counts = await readPassCounts(HELD_OUT_FILE, place);
  return counts.length === heldOut.length ? counts : null;
}
