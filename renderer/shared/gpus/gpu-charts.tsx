import { useMemo, useState } from 'react';
import type { GpuCurve } from '../../../preload/contract/gpu';
import { useChartMenu } from '../../state/chart-menu';
import { formatCurveTick, shortNumber } from '../../text/training-curves';
import { AgentShapeMark } from '../../widgets/index';
import { LineChart } from '../../widgets/line-chart';
import { GPU_QUANTITIES, gpuLines } from './gpu-lines';
import styles from './gpus.module.css';

/** Use, memory, power and temperature of GPUs as small charts with a shared cursor. */
export function GpuCharts(props: {
  readonly gpus: readonly GpuCurve[];
  /** x of each sample; null: none. The same function while nothing changes. */
  readonly xsOf: (gpu: GpuCurve) => readonly (number | null)[];
  /** What x counts, e.g. "minutes". */
  readonly over: string;
  /** When x is 0, e.g. "14:02"; left out: x does not begin at a time. */
  readonly since?: string;
  readonly xEnd: number;
  readonly formatX: (x: number) => string;
}) {
  const { gpus, xsOf, over, since, xEnd, formatX } = props;
  const menu = useChartMenu('GPUs', null);
  const [cursor, setCursor] = useState<number | null>(null);
  const charts = useMemo(
    () =>
      GPU_QUANTITIES.map((quantity) => ({ quantity, lines: gpuLines(gpus, quantity, xsOf) })).filter(
        ({ lines }) => lines.length > 0,
      ),
    [gpus, xsOf],
  );
  return (
    <>
      <ul className={styles.legend} aria-label="GPUs">
        {(charts[0]?.lines ?? []).map(({ id, label, color, shape }) => (
          <li key={id}>
            <AgentShapeMark agent={{ shape, color }} size={9} />
            {label}
          </li>
        ))}
        <li className={styles.over}>
          {cursor === null ? `over ${over}` : `at ${formatX(cursor)} ${over}`}
          {since !== undefined && ` since ${since}`}
        </li>
      </ul>
      <div className={styles.charts}>
        {charts.map(({ quantity: { title, hint, mostOn }, lines }) => (
          <LineChart
            key={title}
            title={title}
            hint={hint}
            lines={lines}
            over={over}
            xEnd={xEnd}
            top={mostOn?.(gpus)}
            cursor={cursor}
            onCursor={setCursor}
            formatValue={shortNumber}
            formatTick={(value, step) => formatCurveTick('number', value, step)}
            formatX={formatX}
            highlighted={null}
            menu={menu}
          />
        ))}
      </div>
    </>
  );
}
