export type TextWeight = 400 | 600;

/** Colours are "#rrggbb"; lengths are in points (1/72 inch), y downwards. */
export type Shape =
  | {
      readonly kind: 'path';
      /** SVG path data. */
      readonly d: string;
      readonly fill: string | null;
      readonly stroke: string | null;
      readonly width: number;
      readonly dash: readonly number[];
      /** Of fill and stroke, in [0, 1]. */
      readonly opacity: number;
    }
  | {
      readonly kind: 'text';
      /** Of its anchor on the baseline. */
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly weight: TextWeight;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly color: string;
      /** Written from bottom to top. */
      readonly upwards: boolean;
    };

/** SVG, PDF and PNG are written from this, so that they show the same picture. */
export type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly shapes: readonly Shape[];
};

/** Width of a text in points. */
export type Measure = (text: string, size: number, weight: TextWeight) => number;

/** A hundredth of a point is finer than any printer. */
export function rounded(value: number): number {
  const hundredths = Math.round(value * 100) / 100;
  return hundredths === 0 ? 0 : hundredths;
}

/** Path data through these points. */
export function pathThrough(points: readonly (readonly [x: number, y: number])[], closed = false): string {
  const parts = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`);
  return `${parts.join('')}${closed ? 'Z' : ''}`;
}

export function rectangle(x: number, y: number, width: number, height: number): string {
  return pathThrough(
    [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ],
    true,
  );
}

export type PathShape = Extract<Shape, { kind: 'path' }>;
export type TextShape = Extract<Shape, { kind: 'text' }>;

export function stroked(d: string, stroke: string, width: number, dash: readonly number[] = []): PathShape {
  return { kind: 'path', d, fill: null, stroke, width, dash, opacity: 1 };
}

export function filled(d: string, fill: string, opacity = 1): PathShape {
  return { kind: 'path', d, fill, stroke: null, width: 0, dash: [], opacity };
}
