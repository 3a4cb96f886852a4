import type { PassCount, ProblemChoice, ProblemsKept } from '../../preload/contract/index';
import { problemsKeptText } from '../../preload/contract/plans/index';
import { deriveSeed, randomStream, shuffled } from '../base/index';
import { firstAttempts, passRate } from './evaluation';
import type { TreeDeps } from './grow-tree';
import { singleGroups } from './learner-groups';
import type { LearningInput } from './learning-input';
import { type Measurement, type MeasurementDeps, measurePassCounts, readPassCounts } from './pass-counts';
import { TrainerError } from './trainer-error';
import type { TrainingEnvironment } from './training-environment';

/** Per-problem counts of a choice, within the training's folder. */
const MEASURED_FILE = 'measured-problems.json';

/** A training on one problem learns that problem. */
const MIN_PROBLEMS = 2;
/** Means of fractions such as 0.7 and 0.9 are rounded. */
const ROUNDING = 1e-9;

export type ChosenProblems = {
  readonly problemOf: TrainingEnvironment['problemOf'];
  readonly kept: ProblemsKept;
};

/**
 * The problems that the untrained agents solve sometimes. Deterministic: which problems are measured and the seeds of
 * their attempts depend on the training's seed alone. `hasTrained`: the policies are no longer the base ones, so that
 * nothing may be measured any more. Throws TrainingStopped, and TrainerError if too few problems are left.
 */
export async function chooseProblems<Trace>(
  {
    learning,
    choose,
    environment,
    deps,
  }: {
    readonly learning: LearningInput;
    readonly choose: ProblemChoice;
    readonly environment: TrainingEnvironment;
    readonly deps: TreeDeps<Trace>;
  },
  measurementDeps: MeasurementDeps & { readonly hasTrained: boolean },
): Promise<ChosenProblems> {
  const { training } = environment;
  if (training === undefined) throw new Error('This environment has no list of its training problems');
  const { kind, seed } = learning.spec;
  const groups = singleGroups(learning);
  const order = shuffled(training.ids, randomStream(`${kind}-measured-problems`, seed));
  const measurement: Measurement = {
    file: MEASURED_FILE,
    problemIds: order.slice(0, choose.measured),
    problem: training.problem,
    attempts: (problem, signal) =>
      Promise.all(
        groups.map((group) =>
          firstAttempts(
            {
              problem,
              group,
              samples: choose.samples,
              seed: deriveSeed(`${kind}-measuring`, seed, group.id),
            },
            { ...deps, signal },
          ),
        ),
      ),
  };
  if (measurementDeps.hasTrained) await checkComplete(measurement, measurementDeps);
  const counts = await measurePassCounts(measurement, measurementDeps);
  const keptIds = new Set(counts.filter((count) => isKept(count, choose)).map(({ problemId }) => problemId));
  const chosen = problemsKeptOf(counts, choose);
  if (chosen.kept < MIN_PROBLEMS) throw tooFewProblems(chosen);
  return { problemOf: training.problemOfAmong(keptIds), kept: chosen };
}

async function checkComplete(
  { file, problemIds }: Measurement,
  measurementDeps: MeasurementDeps,
): Promise<void> {
  const measured = new Set((await readPassCounts(file, measurementDeps)).map(({ problemId }) => problemId));
  if (problemIds.every((id) => measured.has(id))) return;
  throw new TrainerError({
    code: 'bad-input',
    message: `${measurementDeps.folder.path}/${file} lacks problems that were measured before training began; the agents have learned since.`,
    hint: 'Restore the file, or delete state.json to start over.',
  });
}

function isKept({ samples }: PassCount, { from, to }: ProblemChoice): boolean {
  const rate = passRate(samples);
  return rate >= from - ROUNDING && rate <= to + ROUNDING;
}

/** Counts of a finished measurement. */
function problemsKeptOf(counts: readonly PassCount[], choose: ProblemChoice): ProblemsKept {
  const left = counts.filter((count) => !isKept(count, choose)).map(({ samples }) => passRate(samples));
  const neverSolved = left.filter((rate) => rate === 0).length;
  const above = left.filter((rate) => rate > choose.to).length;
  return {
    from: choose.from,
    to: choose.to,
    measured: counts.length,
    kept: counts.length - left.length,
    neverSolved,
    below: left.length - neverSolved - above,
    above,
  };
}

function tooFewProblems(counts: ProblemsKept): TrainerError {
  const easier = counts.neverSolved + counts.below > counts.above;
  return new TrainerError({
    code: 'bad-input',
    message: `Too few problems to train on. ${problemsKeptText(counts)}`,
    hint: `Start a training that measures more problems, takes ${easier ? 'easier' : 'harder'} ones or another model, or keeps a wider range of Pass@1.`,
  });
}
