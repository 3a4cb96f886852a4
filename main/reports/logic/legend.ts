import type { Scale } from '../../../preload/contract/index';
import { type Measure, pathThrough, type Shape, stroked } from './drawing';
import { INK, markPath, type SeriesStyle, TEXT_SIZE } from './style';
import { wrappedText } from './wrapped-text';

export type LegendEntry = { readonly label: string } & (
  | { readonly kind: 'line' | 'bar'; readonly style: SeriesStyle }
  /** The paper's own numbers: hollow marks. */
  | { readonly kind: 'paper' }
);

/** Beside the hollow marks: another scale's values do not compare with them. */
export function paperLabel(scale: Scale): string {
  return scale === 'paper' ? "Paper's values" : "Paper's values, not comparable";
}

const SAMPLE = 16;
const GAP = 4;
const BETWEEN = 12;
const LINE = 10.5;

type Placed = {
  readonly entry: LegendEntry;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
};

function sample(entry: LegendEntry, x: number, y: number): Shape[] {
  const middle = x + SAMPLE / 2;
  switch (entry.kind) {
    case 'line': {
      const { color, mark, dash } = entry.style;
      const line = pathThrough([
        [x, y],
        [x + SAMPLE, y],
      ]);
      return [
        stroked(line, color, 1.2, dash),
        { ...stroked(markPath(mark, middle, y, 4), '#ffffff', 0.5), fill: color },
      ];
    }
    case 'bar':
      return [{ ...stroked(markPath('square', middle, y, 8), '#ffffff', 0), fill: entry.style.color }];
    case 'paper':
      return [{ ...stroked(markPath('diamond', middle, y, 4.2), INK, 0.8), fill: '#ffffff' }];
  }
}

/**
 * Entries in rows under a plot of this width; each row begins at `x`. Returns the shapes for a legend with its top at
 * `y`, and its height.
 */
export function legendUnder(
  entries: readonly LegendEntry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  measure: Measure,
): { readonly shapes: readonly Shape[]; readonly height: number } {
  const placed: Placed[] = [];
  let across = 0;
  let down = 0;
  let rowLines = 1;
  for (const entry of entries) {
    const { lines } = wrappedText(entry.label, width - SAMPLE - GAP, measure);
    const wide = SAMPLE + GAP + Math.max(...lines.map((line) => measure(line, TEXT_SIZE, 400)));
    if (across > 0 && across + wide > width) {
      across = 0;
      down += LINE * rowLines;
      rowLines = 1;
    }
    placed.push({ entry, lines, x: x + across, y: y + down + LINE / 2 });
    rowLines = Math.max(rowLines, lines.length);
    across += wide + BETWEEN;
  }
  return {
    height: entries.length === 0 ? 0 : down + LINE * rowLines,
    shapes: placed.flatMap(({ entry, lines, x: left, y: middle }) => [
      ...sample(entry, left, middle),
      ...lines.map((text, at) => ({
        kind: 'text' as const,
        x: left + SAMPLE + GAP,
        y: middle + TEXT_SIZE * 0.34 + LINE * at,
        text,
        size: TEXT_SIZE,
        weight: 400 as const,
        anchor: 'start' as const,
        color: INK,
        upwards: false,
      })),
    ]),
  };
}
