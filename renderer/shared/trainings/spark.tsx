import { agentPosition } from '../../../preload/contract/plans/index';
import type { TrainingCurve, TrainingView } from '../../../preload/contract/training';
import { readyValue, useTrainingSparks } from '../../state/index';
import { curveKey } from '../../text/training-curves';
import { agentStyle } from '../../theme/index';
import { linePath, pixelOf } from '../../widgets/chart-scale';
import styles from './spark.module.css';

const WIDTH = 96;
const HEIGHT = 24;

/** How a training went, a line for each agent; nothing before its second point. */
export function TrainingSpark({ training }: { readonly training: TrainingView }) {
  const drawn = sparkCurves(readyValue(useTrainingSparks(training.id)) ?? []);
  const [first] = drawn;
  if (first === undefined) return null;
  return (
    <Spark
      label={`${curveKey(first.key).label} over the training`}
      lines={drawn.map((curve) => ({
        id: `${curve.agentId}`,
        color: agentStyle(agentPosition(training.agents, curve.agentId)).color,
        xs: curve.steps,
        ys: curve.values,
      }))}
    />
  );
}

/** A sparkline of one quantity. `label` describes it for screen readers. */
function Spark(props: {
  readonly label: string;
  readonly lines: readonly {
    readonly id: string;
    readonly color: string;
    readonly xs: readonly number[];
    readonly ys: readonly number[];
  }[];
}) {
  const { label, lines } = props;
  const values = lines.flatMap(({ ys }) => ys);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = high > low ? { low, high } : { low: low - 1, high: low + 1 };
  const end = Math.max(1, ...lines.map(({ xs }) => xs.at(-1) ?? 0));
  const frame = {
    x: (x: number) => pixelOf(x, { low: 0, high: end }, 1, WIDTH - 1),
    y: (y: number) => pixelOf(y, range, HEIGHT - 2, 2),
  };
  return (
    <svg className={styles.spark} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {lines.map(({ id, color, xs, ys }) => (
        <path key={id} d={linePath({ xs, ys }, frame)} stroke={color} />
      ))}
    </svg>
  );
}

/** Quantities for the sparkline, in order of preference. */
const KEYS = ['pass@1', 'reward'];

/** The curves for the sparkline in the list: one quantity of one part, one curve per agent, at least two points. */
export function sparkCurves(curves: readonly TrainingCurve[]): readonly TrainingCurve[] {
  const lines = curves.filter(({ steps }) => steps.length > 1);
  const key = KEYS.find((key) => lines.some((curve) => curve.key === key)) ?? lines[0]?.key;
  const ofKey = lines.filter((curve) => curve.key === key);
  const [longest] = [...ofKey].sort((a, b) => b.steps.length - a.steps.length);
  return ofKey.filter(({ part }) => part === longest?.part);
}
