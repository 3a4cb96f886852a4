import type { TrainingCurve } from '../../preload/contract/training';

/** What stands for how a training does, in the order of preference. */
const KEYS = ['pass@1', 'reward'];

/** Of a training's curves those that stand in a list: one quantity of one part, an agent each, with a course to see. */
export function sparkCurves(curves: readonly TrainingCurve[]): readonly TrainingCurve[] {
  const lines = curves.filter(({ steps }) => steps.length > 1);
  const key = KEYS.find((one) => lines.some((curve) => curve.key === one)) ?? lines[0]?.key;
  const ofKey = lines.filter((curve) => curve.key === key);
  const [longest] = [...ofKey].sort((a, b) => b.steps.length - a.steps.length);
  return ofKey.filter(({ part }) => part === longest?.part);
}
