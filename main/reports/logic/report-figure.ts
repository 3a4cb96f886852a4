import type { Scale } from '../../../preload/contract/index';

/** A place on an axis, and what a band or a whisker spans there. */
export type FigurePoint = {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
};

export type FigureAxis = {
  readonly label: string;
  /** Powers of ten (or of two, where the range is short) stand at equal distances on a log axis. */
  readonly scale: 'linear' | 'log';
};

/** How values along the y axis are printed; rates in [0, 1] as percent. */
export type FigureUnit = 'rate' | 'number';

/** A configuration: its hue is its colour, here as in the window; its place in the figure decides mark and dash. */
type FigureSeries = { readonly label: string; readonly position: number; readonly hue: number };

/** A figure as data, before any format. */
export type ReportFigure = {
  readonly id: string;
  readonly title: string;
  readonly scale: Scale;
  /** Sentences for the caption. */
  readonly notes: readonly string[];
  readonly complete: boolean;
} & (
  | {
      readonly kind: 'lines';
      readonly x: FigureAxis;
      readonly y: { readonly label: string; readonly unit: FigureUnit };
      readonly series: readonly (FigureSeries & {
        readonly points: readonly FigurePoint[];
        /** Points of the paper. */
        readonly reference: readonly { readonly x: number; readonly y: number }[];
      })[];
    }
  | {
      readonly kind: 'bars';
      readonly y: { readonly label: string; readonly unit: FigureUnit };
      readonly groups: readonly string[];
      readonly series: readonly (FigureSeries & {
        /** One a group; null: not measured. */
        readonly bars: readonly (Omit<FigurePoint, 'x'> | null)[];
        /** The paper's, one a group. */
        readonly reference: readonly (number | null)[];
      })[];
    }
  | {
      /** Who solves what: a row a configuration, a column a problem. */
      readonly kind: 'grid';
      readonly x: string;
      readonly rows: readonly (FigureSeries & {
        /** One a problem: share of its seeds, in [0, 1]; null: not searched. */
        readonly shares: readonly (number | null)[];
      })[];
    }
);
