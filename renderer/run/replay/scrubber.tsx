import { useMemo } from 'react';
import classes from './replay.module.css';
import type { AnswerChange } from './tree-at';

/** The best score so far of one tree, as a line over time. */
export type BestLine = {
  readonly id: string;
  readonly color: string;
  readonly changes: readonly AnswerChange[];
  readonly total: number;
};

/** Units of the SVG, which is stretched to the available width. */
const WIDTH = 1_000;
const HEIGHT = 20;

/** The time slider, over a line of the best score so far. */
export function Scrubber(props: {
  readonly moment: number;
  readonly total: number;
  readonly lines: readonly BestLine[];
  readonly valueText: string;
  readonly onMove: (moment: number) => void;
}) {
  const { moment, total, lines, valueText: words, onMove } = props;
  const paths = useMemo(
    () => lines.map((line) => ({ ...line, path: bestPath(line, Math.min(moment, line.total), total) })),
    [lines, moment, total],
  );
  return (
    <div className={classes.scrubber}>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={classes.ground} d={`M0 ${HEIGHT}H${WIDTH}`} />
        {paths.map(({ id, color, path }) => (
          <path key={id} d={path} style={{ stroke: color }} />
        ))}
      </svg>
      <input
        type="range"
        min={0}
        max={total}
        value={moment}
        disabled={total === 0}
        aria-label="Position in the search"
        aria-valuetext={words}
        onChange={(event) => onMove(Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** A step line up to `end`. */
function bestPath({ changes }: BestLine, end: number, total: number): string {
  const x = (moment: number): number => (total === 0 ? 0 : (moment / total) * WIDTH);
  let path = '';
  for (const { moment, score } of changes) {
    if (moment > end) break;
    const y = HEIGHT * (1 - score);
    path += path === '' ? `M${x(moment)} ${HEIGHT}V${y}` : `H${x(moment)}V${y}`;
  }
  return path === '' ? '' : `${path}H${x(end)}`;
}
