import { pathThrough, rounded } from './drawing';

/** The window's light palette (renderer/theme/tokens.css), so that a configuration has the same colour everywhere. */
const SERIES = [
  '#0072b2',
  '#74401f',
  '#d9658f',
  '#76369f',
  '#5d656e',
  '#2f9fdc',
  '#a39500',
  '#3b3e42',
] as const;

/** Marks and dashes distinguish lines of one colour, and all lines in a print without colours. */
const MARKS = ['circle', 'square', 'triangle', 'diamond'] as const;
const DASHES: readonly (readonly number[])[] = [[], [4, 1.6], [1.2, 1.4], [5, 1.4, 1.2, 1.4]];

export const INK = '#1b1d20';
export const SOFT_INK = '#53585f';
export const RULE = '#cbcbc6';
export const FAINT_RULE = '#e3e3df';

/** Font sizes, in points, as in figures of papers. */
export const TEXT_SIZE = 7.5;
export const TICK_SIZE = 7;

export type SeriesStyle = {
  readonly color: string;
  readonly mark: (typeof MARKS)[number];
  readonly dash: readonly number[];
};

/** Mark and dash by the position in the figure, from 0; the colour by the configuration's hue. */
export function seriesStyle({
  position,
  hue,
}: {
  readonly position: number;
  readonly hue: number;
}): SeriesStyle {
  const index = Math.max(0, position);
  return {
    color: SERIES[Math.max(0, hue) % SERIES.length] ?? SERIES[0],
    mark: MARKS[index % MARKS.length] ?? 'circle',
    dash: DASHES[Math.floor(index / 2) % DASHES.length] ?? [],
  };
}

/** Path data of a mark around a point; `size` is its width. */
export function markPath(mark: SeriesStyle['mark'], x: number, y: number, size: number): string {
  const half = size / 2;
  switch (mark) {
    case 'circle': {
      const arc = `A${rounded(half)} ${rounded(half)} 0 1 1`;
      return `M${rounded(x - half)} ${rounded(y)}${arc} ${rounded(x + half)} ${rounded(y)}${arc} ${rounded(x - half)} ${rounded(y)}Z`;
    }
    case 'square': {
      const side = half * 0.9;
      return pathThrough(
        [
          [x - side, y - side],
          [x + side, y - side],
          [x + side, y + side],
          [x - side, y + side],
        ],
        true,
      );
    }
    case 'triangle':
      return pathThrough(
        [
          [x, y - half * 1.1],
          [x + half * 1.1, y + half * 0.85],
          [x - half * 1.1, y + half * 0.85],
        ],
        true,
      );
    case 'diamond':
      return pathThrough(
        [
          [x, y - half * 1.2],
          [x + half * 1.2, y],
          [x, y + half * 1.2],
          [x - half * 1.2, y],
        ],
        true,
      );
  }
}
