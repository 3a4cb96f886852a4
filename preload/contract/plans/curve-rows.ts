import type { TrainingCurve } from '../training';

export const CURVE_COLUMNS = ['agent', 'quantity', 'part', 'step', 'samples', 'seconds', 'value'] as const;

/** One row a point, in the order of the curves; null: the source does not say. */
export function curveRows(
  curves: readonly TrainingCurve[],
): readonly (readonly (string | number | null)[])[] {
  return curves.flatMap(({ agentId, key, part, steps, values, samples, seconds }) =>
    steps.map((step, at) => [
      agentId,
      key,
      part,
      step,
      samples?.[at] ?? null,
      seconds?.[at] ?? null,
      values[at] ?? null,
    ]),
  );
}
