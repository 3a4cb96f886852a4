import type { TrainingCurve } from '../../preload/contract/training';

/** The x axes. `time`: since the training's first point; `gpu-time`: that times its number of GPUs. */
export const CURVE_AXES = ['steps', 'samples', 'time', 'gpu-time'] as const;
export type CurveAxis = (typeof CURVE_AXES)[number];

/** Times below this are shown in minutes. */
const MINUTES_UNTIL_SECONDS = 2 * 3_600;

export type TimeUnit = { readonly seconds: number; readonly name: 'minutes' | 'hours' };

/** The unit for times up to this many seconds. */
export function timeUnit(longestSeconds: number): TimeUnit {
  return longestSeconds < MINUTES_UNTIL_SECONDS
    ? { seconds: 60, name: 'minutes' }
    : { seconds: 3_600, name: 'hours' };
}

/** The axes that all these curves support. `gpus`: number of GPUs per training. */
export function axesOf(curves: readonly TrainingCurve[], gpus: readonly number[]): readonly CurveAxis[] {
  const haveTime = curves.length > 0 && curves.every(({ seconds }) => seconds !== null);
  return CURVE_AXES.filter((axis) => {
    if (axis === 'steps') return true;
    if (axis === 'samples') return curves.length > 0 && curves.every(({ samples }) => samples !== null);
    if (axis === 'time') return haveTime;
    return haveTime && gpus.length > 0 && gpus.every((count) => count > 0);
  });
}

/** The x values of a curve; null: not logged. Times are in `unit`. */
export function xsOf(
  curve: TrainingCurve,
  axis: CurveAxis,
  unit: TimeUnit,
  gpus: number,
): readonly number[] | null {
  switch (axis) {
    case 'steps':
      return curve.steps;
    case 'samples':
      return curve.samples;
    case 'time':
      return curve.seconds?.map((seconds) => seconds / unit.seconds) ?? null;
    case 'gpu-time':
      return curve.seconds?.map((seconds) => (seconds * gpus) / unit.seconds) ?? null;
    default:
      return axis satisfies never;
  }
}

/** Label of the axis: "updates", "samples per agent", "minutes", "GPU-hours". */
export function axisLabel(axis: CurveAxis, unit: TimeUnit, stepName: string): string {
  switch (axis) {
    case 'steps':
      return stepName;
    case 'samples':
      return 'samples per agent';
    case 'time':
      return unit.name;
    case 'gpu-time':
      return `GPU-${unit.name}`;
    default:
      return axis satisfies never;
  }
}

/** An x value, shortened: "120", "12k", "3.5". */
export function formatX(x: number): string {
  if (x >= 100_000) return `${Math.round(x / 1_000).toLocaleString('en')}k`;
  if (x >= 10_000) return `${Number((x / 1_000).toFixed(1))}k`;
  if (x >= 20 || Number.isInteger(x)) return Math.round(x).toLocaleString('en');
  return x.toFixed(1);
}
