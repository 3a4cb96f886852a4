import type { ExperimentCell, ExperimentMetric, ExperimentRequest } from '../experiment';
import type { Scale } from '../scale';
import { modelScale } from './launch-presets';
import { counted } from './number-text';
import { HELD_OUT_SEED, heldOutPart, PLAIN_POCKET_TRAINING } from './training-methods';

type Settings = Pick<ExperimentRequest, 'training' | 'models'>;

/** Most rows of an experiment, and characters of a row's name. */
export const MAX_ROWS = 40;
export const MAX_LABEL = 80;
/** Most trainings that one command starts: with more, a slip of the finger costs days. */
export const MAX_TRAININGS = 200;

/** Why an experiment with this many rows and seeds is refused; null: it is not. */
export function trainingsProblem(rows: number, seeds: number): string | null {
  const trainings = rows * seeds;
  return trainings <= MAX_TRAININGS
    ? null
    : `${counted(rows, 'row')} × ${counted(seeds, 'seed')} are ${trainings} trainings; an experiment has at most ${MAX_TRAININGS}. Take fewer rows, values or seeds.`;
}

/** The scale of an experiment's numbers: `paper` only where all its models are the papers', by their names. */
export function experimentScale({ models }: Pick<ExperimentRequest, 'models'>): Scale {
  if (models === undefined) return 'pocket';
  return models.spec.agents.every(({ model }) => modelScale(model) === 'paper') ? 'paper' : 'own';
}

/** Updates of each agent, where a row does not change them. */
export function experimentUpdates({ training, models }: Settings): number {
  return models?.spec.updates ?? training.updates ?? PLAIN_POCKET_TRAINING.updates;
}

/** On what all trainings of an experiment are evaluated: its name, the nodes of a tree, and first attempts of each agent. */
export function evaluatedOn({ training, models }: Settings): {
  readonly benchmark: string;
  readonly problems: number;
  readonly nodes: number;
  readonly samples: number;
} {
  if (models !== undefined) {
    const { problems, nodes, samples } = models.spec.evaluation;
    return { benchmark: heldOutPart('', models.spec), problems, nodes, samples };
  }
  const { split, problems, nodes, samples } = training.evaluation ?? PLAIN_POCKET_TRAINING.evaluation;
  return { benchmark: `the pocket ${split} split (problem seed ${HELD_OUT_SEED})`, problems, nodes, samples };
}

/** What every training is evaluated on: "100 test problems, N = 60". `problems`: those that are measured. */
export function experimentEvaluation({ training, models }: Settings, problems?: number): string {
  if (models !== undefined) {
    const { evaluation } = models.spec;
    const count = problemsText(problems ?? evaluation.problems, '');
    return `${count} of ${heldOutPart('', models.spec)}, N = ${evaluation.nodes}`;
  }
  const { problems: planned, split, nodes } = training.evaluation ?? PLAIN_POCKET_TRAINING.evaluation;
  return `${problemsText(problems ?? planned, `${split} `)}, N = ${nodes}`;
}

function problemsText(count: number, kind: string): string {
  return `${count.toLocaleString('en')} ${kind}problem${count === 1 ? '' : 's'}`;
}

/** K of DA@K in experiments: the expected number of different algorithms among K correct programs. */
export const ALGORITHM_DRAWS = 10;

export const EXPERIMENT_METRIC_TITLES: Readonly<Record<ExperimentMetric, string>> = {
  'pass@1': 'Pass@1',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@n': 'Pass@N',
  'da@k': `DA@${ALGORITHM_DRAWS}`,
  'zero-advantage': 'Samples without a gradient',
};

/** As files name it: `da@10`. */
export function metricInFiles(metric: ExperimentMetric): string {
  return metric === 'da@k' ? `da@${ALGORITHM_DRAWS}` : metric;
}

/** Over what the intervals of an experiment's values are. */
export function experimentIntervals(
  cells: readonly Pick<ExperimentCell, 'seeds'>[],
  problems: string,
): string {
  return cells.some(({ seeds }) => seeds > 1)
    ? `over seeds and ${problems}`
    : `over ${problems}; with one seed the chance of training is not in it`;
}
