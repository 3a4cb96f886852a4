import type { PassCount } from '../../preload/contract/index';
import { type Evaluator, heldOutAttempts } from './evaluation';
import type { LearningInput } from './learning-input';
import { type MeasurementDeps, measurePassCounts, readPassCounts } from './pass-counts';
import { chooseProblems } from './problem-choice';
import type { Progress } from './progress';
import type { TrainingEnvironment } from './training-environment';

/** Counts on the held-out problems before the first update, within the training's folder. */
const HELD_OUT_FILE = 'before-training.json';

/** What is measured with the untrained policies before the first round. */
export type BeforeTraining = {
  /** Of the problems that were kept; without a choice, all. */
  readonly problemOf: TrainingEnvironment['problemOf'];
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
    environment,
    evaluator,
  }: {
    readonly learning: LearningInput;
    readonly environment: TrainingEnvironment;
    readonly evaluator: Evaluator<Trace>;
  },
  {
    hasTrained,
    progress,
    ...common
  }: Omit<MeasurementDeps, 'onProgress'> & { readonly hasTrained: boolean; readonly progress: Progress },
): Promise<BeforeTraining> {
  const { choose, measuresBefore, spec } = learning;
  let { problemOf } = environment;
  // Without updates nothing is trained on, and the evaluation at the end is of the untrained policies.
  if (spec.method === 'base') return { problemOf, heldOut: null };
  const measurementDepsOf = (subject: string): MeasurementDeps => ({
    ...common,
    onProgress: (done, of) => progress.measuring(done, of, subject),
  });
  if (choose !== undefined) {
    const { deps } = evaluator;
    const training = { ...measurementDepsOf('problems'), hasTrained };
    const chosen = await chooseProblems({ learning, choose, environment, deps }, training);
    problemOf = chosen.problemOf;
    await progress.choseProblems(chosen.kept);
  }
  if (measuresBefore !== true || environment.heldOut.length === 0) return { problemOf, heldOut: null };
  const heldOut = measurementDepsOf('held-out problems');
  return {
    problemOf,
    heldOut: hasTrained
      ? await countedEarlier(environment, heldOut)
      : await measurePassCounts(
          {
            file: HELD_OUT_FILE,
            problemIds: environment.heldOut,
            problem: environment.heldOutProblem,
            attempts: (problem, signal) =>
              heldOutAttempts(problem, { ...evaluator, deps: { ...evaluator.deps, signal } }),
          },
          heldOut,
        ),
  };
}

/** null: a training of an earlier version did not count them. */
async function countedEarlier(
  { heldOut }: Pick<TrainingEnvironment, 'heldOut'>,
  measurementDeps: MeasurementDeps,
): Promise<readonly PassCount[] | null> {
  const counts = await readPassCounts(HELD_OUT_FILE, measurementDeps);
  return counts.length === heldOut.length ? counts : null;
}
