import type { SweepCell, SweepMeasure, TrainingCurve, TrainingSweep } from '../../../preload/contract';
import { counted } from '../../base';
import { pairedEffectSize } from '../effect-size';
import { holm } from '../paired-tests';
import { studentHalfWidth } from '../quantiles';
import { seedSpread } from '../seed-spread';
import { seedsP } from '../seeds-test';
import { knownMean } from '../two-level-bootstrap';

/** A training of a sweep with what its log readers yield. */
export type SweptTraining = {
  readonly trainingId: string;
  readonly seed: number | null;
  readonly curves: readonly TrainingCurve[];
  /** Why it does not count yet, e.g. "still runs"; null: it has ended as it should. */
  readonly notDone: string | null;
};

type SweptRow = { readonly label: string; readonly trainings: readonly SweptTraining[] };

/** Keys of which less is better. */
const LOWER_IS_BETTER = /loss|perplexity|ppl|error|(^|[-_/])kl([-_/]|$)/i;

/**
 * The rows of a sweep by a foreign trainer over their seeds. There is one number a training, as its trainer logged it, so
 * intervals and tests are over the seeds alone. A training without a number is missing.
 */
export function trainingSweep(name: string, rows: readonly SweptRow[]): TrainingSweep {
  const done = rows.map(({ label, trainings }) => ({
    label,
    trainings: trainings.filter(({ notDone }) => notDone === null),
  }));
  const measures = measuresOf(done.flatMap(({ trainings }) => trainings));
  const pairs = measures.flatMap((measure) => pairsOf(done, measure));
  return {
    name,
    rows: rows.map(({ label, trainings }) => ({
      label,
      trainings: trainings.map(({ trainingId, seed }) => ({ trainingId, seed })),
      missing: trainings.flatMap(({ seed, notDone, curves }) => {
        const why = notDone ?? (curves.some(isEvaluation) ? null : 'has logged no evaluation');
        return why === null ? [] : [{ seed, why }];
      }),
    })),
    measures,
    cells: measures.flatMap((measure) => done.map((row) => cellOf(row, measure))),
    pairs,
    sentences: sentencesOf(rows, measures, pairs),
  };
}

const isEvaluation = ({ part, values }: TrainingCurve): boolean =>
  part === 'evaluation' && values.some(Number.isFinite);

function measuresOf(trainings: readonly SweptTraining[]): SweepMeasure[] {
  const found = new Map<string, SweepMeasure>();
  for (const { agentId, key } of trainings.flatMap(({ curves }) => curves.filter(isEvaluation))) {
    const best = LOWER_IS_BETTER.test(key) ? 'lowest' : 'highest';
    for (const of of ['last', 'best'] as const)
      found.set(`${agentId}\n${key}\n${of}`, { agentId, key, of, best });
  }
  return [...found.values()];
}

/** null: it has not logged this. */
function loggedIn({ curves }: SweptTraining, { agentId, key, of, best }: SweepMeasure): number | null {
  const curve = curves.find((one) => isEvaluation(one) && one.agentId === agentId && one.key === key);
  const values = curve?.values.filter(Number.isFinite) ?? [];
  if (of === 'last') return values.at(-1) ?? null;
  return values.length === 0 ? null : best === 'lowest' ? Math.min(...values) : Math.max(...values);
}

function cellOf({ label, trainings }: SweptRow, measure: SweepMeasure): SweepCell {
  const values = trainings.flatMap((training) => loggedIn(training, measure) ?? []);
  const missing = trainings
    .filter((training) => training.curves.some(isEvaluation) && loggedIn(training, measure) === null)
    .map(({ seed }) => ({ seed, why: 'has not logged this' }));
  return { label, ...measure, ...estimateOf(values), seeds: values.length, missing };
}

/** The mean over the seeds with Student's interval, whose assumption is that of the paired t test, and the spread. */
function estimateOf(values: readonly number[]) {
  if (values.length === 0) return { value: null, interval: null };
  const value = knownMean(values);
  const spread = seedSpread(values.map((one) => [one]));
  if (spread.seedSpread === undefined) return { value, interval: null };
  const half = (studentHalfWidth(0.95, values.length - 1) * spread.seedSpread.sd) / Math.sqrt(values.length);
  // Of equal values but for rounding: an interval of no width is none.
  const isNone = half <= 1e-9 * Math.max(1, Math.abs(value));
  return { value, interval: isNone ? null : { low: value - half, high: value + half }, ...spread };
}

/** All pairs of rows, the later minus the earlier one, as in experiments. */
function pairsOf(rows: readonly SweptRow[], measure: SweepMeasure): TrainingSweep['pairs'] {
  const pairs = rows.flatMap((second, at) =>
    rows.slice(at + 1).flatMap((first) => {
      const differences = first.trainings.flatMap((training) => {
        const other = second.trainings.find(({ seed }) => seed !== null && seed === training.seed);
        const [one, two] = [
          loggedIn(training, measure),
          other === undefined ? null : loggedIn(other, measure),
        ];
        return one === null || two === null ? [] : [one - two];
      });
      const { value, ...estimate } = estimateOf(differences);
      if (value === null) return [];
      const pSeeds = seedsP(differences);
      const names = { first: first.label, second: second.label };
      return [
        {
          ...{ ...measure, ...names, difference: value, ...estimate, effect: pairedEffectSize(differences) },
          ...{ pSeeds, pHolm: 1, seeds: differences.length },
        },
      ];
    }),
  );
  const corrected = holm(pairs.map(({ pSeeds }) => pSeeds ?? 1));
  return pairs.map((pair, at) => ({ ...pair, pHolm: corrected[at] as number }));
}

function sentencesOf(
  rows: readonly SweptRow[],
  measures: readonly SweepMeasure[],
  pairs: TrainingSweep['pairs'],
): string[] {
  const trainings = rows.flatMap((row) => row.trainings);
  const missing = trainings.filter((one) => one.notDone !== null || !one.curves.some(isEvaluation)).length;
  const isTested = pairs.some(({ pSeeds }) => pSeeds !== null);
  return [
    ...(missing === 0
      ? []
      : [
          `${missing} of ${counted(trainings.length, 'training')} ${missing === 1 ? 'is' : 'are'} missing: without a number a training counts in no mean, not as 0.`,
        ]),
    ...(measures.length === 0
      ? []
      : [
          'Numbers are evaluations as the trainer logged them, one for each training: intervals and tests are over the seeds alone and say nothing of other problems. Compare them within this table only.',
          ...(pairs.some(({ effect }) => effect !== null)
            ? [
                'Effect size: the mean difference in standard deviations of the seeds’ own differences (Cohen’s d of pairs), with its exact 95 % interval; of few seeds it is too large on average.',
              ]
            : []),
          'The best evaluation was chosen after all were seen, on the problems that it is measured on: it is too high as an estimate (where less is better, too low).',
        ]),
    ...(measures.length > 0 && rows.length > 1 && !isTested
      ? ['No difference is tested: that takes three seeds that both rows have.']
      : []),
  ];
}
