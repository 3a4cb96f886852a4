import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { niceTicks, pixelOf, type Range, rangeOf } from './chart-scale';
import styles from './scatter-plot.module.css';

type Measured = { readonly value: number; readonly low: number; readonly high: number };
export type ScatterPoint = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly x: Measured;
  readonly y: Measured;
};

const MARGIN = { left: 40, right: 16, top: 8, bottom: 34 };
const HEIGHT = 260;
/** Names of more points than this would lie over each other: then they are read by pointing. */
const MAX_NAMES = 8;

/** Two quantities of each thing with their intervals as crosses. */
export function ScatterPlot(props: {
  readonly label: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly points: readonly ScatterPoint[];
  readonly formatY: (value: number) => string;
}) {
  const { label, xLabel, yLabel, points, formatY } = props;
  const { ref, width } = useElementSize<HTMLElement>();
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const across = spanOf(points.map(({ x }) => x));
  const up = spanOf(points.map(({ y }) => y));
  const x = (value: number): number => pixelOf(value, across, MARGIN.left, width - MARGIN.right);
  const y = (value: number): number => pixelOf(value, up, HEIGHT - MARGIN.bottom, MARGIN.top);
  const named = points.length <= MAX_NAMES;
  return (
    <figure ref={ref} className={styles.plot} aria-label={label}>
      {width > 120 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={ariaText(points, formatY)}>
          {niceTicks(up.low, up.high, 5).map((tick) => (
            <g key={tick}>
              <line
                className={styles.grid}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text className={styles.y} x={MARGIN.left - 6} y={y(tick) + 3.5}>
                {formatY(tick)}
              </text>
            </g>
          ))}
          {niceTicks(across.low, across.high, Math.floor(width / 80)).map((tick) => (
            <text key={tick} className={styles.x} x={x(tick)} y={HEIGHT - 19}>
              {String(Number(tick.toPrecision(3)))}
            </text>
          ))}
          <line
            className={styles.axis}
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={HEIGHT - MARGIN.bottom}
            y2={HEIGHT - MARGIN.bottom}
          />
          <text className={styles.name} x={width - MARGIN.right} y={HEIGHT - 4}>
            {xLabel}
          </text>
          {points.map((point) => (
            <g
              key={point.id}
              opacity={highlighted === null || highlighted === point.id ? 1 : 0.25}
              onPointerEnter={() => setHighlighted(point.id)}
              onPointerLeave={() => setHighlighted(null)}
            >
              <title>{pointText(point, formatY)}</title>
              <g stroke={point.color} strokeWidth="1.5" opacity="0.5">
                <line x1={x(point.x.low)} x2={x(point.x.high)} y1={y(point.y.value)} y2={y(point.y.value)} />
                <line x1={x(point.x.value)} x2={x(point.x.value)} y1={y(point.y.low)} y2={y(point.y.high)} />
              </g>
              <circle cx={x(point.x.value)} cy={y(point.y.value)} r="4.5" fill={point.color} />
              {(named || highlighted === point.id) && (
                <text
                  className={styles.label}
                  x={x(point.x.value) + (isFarRight(x(point.x.value), width) ? -8 : 8)}
                  y={y(point.y.value) - 6}
                  textAnchor={isFarRight(x(point.x.value), width) ? 'end' : 'start'}
                >
                  {point.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
      <figcaption>{yLabel}</figcaption>
    </figure>
  );
}

/** A name to the right of it would be cut. */
function isFarRight(x: number, width: number): boolean {
  return x > width * 0.8;
}

function spanOf(values: readonly Measured[]): Range {
  return rangeOf(Math.min(...values.map(({ low }) => low)), Math.max(...values.map(({ high }) => high)));
}

function pointText({ label, x, y }: ScatterPoint, formatY: (value: number) => string): string {
  return `${label}: ${x.value.toFixed(2)}, ${formatY(y.value)}`;
}

function ariaText(points: readonly ScatterPoint[], formatY: (value: number) => string): string {
  return points.map((point) => pointText(point, formatY)).join('; ');
}
