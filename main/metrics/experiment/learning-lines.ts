import type { ExperimentLine, ExperimentRequest, TrainingCurve } from '../../../preload/contract';
import { learningPoints } from '../exhibit/series-points';

/** What is drawn of an experiment's trainings: first what they reach on problems apart. */
const QUANTITIES: readonly Pick<TrainingCurve, 'key' | 'part'>[] = [
  { key: 'pass@1', part: 'evaluation' },
  { key: 'pass@1', part: 'train' },
  { key: 'zero-advantage', part: 'train' },
];
/** Points of a curve of updates: more would only cover each other in a column of a paper. */
const MAX_POINTS = 100;
const AXES = ['updates', 'samples'] as const;

/** The drawn curves of a training; those of updates as means over so many updates that 100 points are left. */
export function drawnCurves(curves: readonly TrainingCurve[]): TrainingCurve[] {
  return curves
    .filter(({ key, part }) => QUANTITIES.some((one) => one.key === key && one.part === part))
    .map((curve) => (curve.part === 'train' ? thinned(curve) : curve));
}

function thinned(curve: TrainingCurve): TrainingCurve {
  const { steps, values, samples } = curve;
  const size = Math.ceil(steps.length / MAX_POINTS);
  if (size <= 1) return curve;
  const starts = Array.from({ length: Math.ceil(steps.length / size) }, (_, at) => at * size);
  const lastOf = (row: readonly number[]): number[] =>
    starts.flatMap((start) => row.slice(start, start + size).at(-1) ?? []);
  return {
    ...curve,
    steps: lastOf(steps),
    values: starts.map((start) => meanOf(values.slice(start, start + size))),
    samples: samples === null ? null : lastOf(samples),
    seconds: null,
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * A line per row, quantity and axis: the mean over seeds of the mean over agents, from the lowest to the highest seed, as the
 * learning curves of exhibits. Rows and axes without two points are left out.
 */
export function experimentLines(
  { rows }: ExperimentRequest,
  trainings: readonly { readonly label: string; readonly curves: readonly TrainingCurve[] }[],
): ExperimentLine[] {
  return QUANTITIES.flatMap(({ key, part }) => {
    const seeds = trainings.flatMap(({ label, curves }) => {
      const team = meanCurve(curves.filter((curve) => curve.key === key && curve.part === part));
      return team === null ? [] : [{ label, team }];
    });
    return AXES.flatMap((x) =>
      rows.flatMap(({ label }): ExperimentLine[] => {
        const own = seeds.flatMap((seed) => (seed.label === label ? [seed.team] : []));
        const points = learningPoints(own, { x });
        return points.length < 2 ? [] : [{ label, key, part, x, seeds: own.length, points }];
      }),
    );
  });
}

/** The mean over the agents of a training; null: it has no such curve. */
function meanCurve(agents: readonly TrainingCurve[]): TrainingCurve | null {
  const [first, ...others] = agents;
  if (first === undefined || others.length === 0) return first ?? null;
  const points = learningPoints(agents, { x: 'updates' });
  const samples = learningPoints(agents, { x: 'samples' });
  return {
    ...first,
    agentId: null,
    steps: points.map(({ x }) => x),
    values: points.map(({ y }) => y),
    samples: samples.length === points.length ? samples.map(({ x }) => x) : null,
    seconds: null,
  };
}
