import { type Measure, pathThrough, type Shape, stroked } from './drawing';
import { INK, markPath, type SeriesStyle, TEXT_SIZE } from './style';

export type LegendEntry = { readonly label: string } & (
  | { readonly kind: 'line' | 'bar'; readonly style: SeriesStyle }
  /** The paper's own numbers: hollow marks. */
  | { readonly kind: 'paper' }
);

const SAMPLE = 16;
const GAP = 4;
const BETWEEN = 12;
const LINE = 10.5;

type Placed = { readonly entry: LegendEntry; readonly x: number; readonly y: number };

/** A text that is too long for `width` ends in an ellipsis. */
export function fitted(text: string, width: number, measure: Measure, size = TEXT_SIZE): string {
  if (measure(text, size, 400) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && measure(`${characters.join('').trimEnd()}\u2026`, size, 400) > width) {
    characters.pop();
  }
  return `${characters.join('').trimEnd()}\u2026`;
}

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
  for (const entry of entries) {
    const label = fitted(entry.label, width - SAMPLE - GAP, measure);
    const wide = SAMPLE + GAP + measure(label, TEXT_SIZE, 400);
    if (across > 0 && across + wide > width) {
      across = 0;
      down += LINE;
    }
    placed.push({ entry: { ...entry, label }, x: x + across, y: y + down + LINE / 2 });
    across += wide + BETWEEN;
  }
  return {
    height: entries.length === 0 ? 0 : down + LINE,
    shapes: placed.flatMap(({ entry, x: left, y: middle }) => [
      ...sample(entry, left, middle),
      {
        kind: 'text' as const,
        x: left + SAMPLE + GAP,
        y: middle + TEXT_SIZE * 0.34,
        text: entry.label,
        size: TEXT_SIZE,
        weight: 400 as const,
        anchor: 'start' as const,
        color: INK,
        upwards: false,
      },
    ]),
  };
}
