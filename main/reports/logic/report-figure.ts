import type { AtHand, Scale } from '../../../preload/contract/index';

/** A position on an axis, and the range of a band or whisker there. */
export type FigurePoint = {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
};

export type FigureAxis = {
  readonly label: string;
  /** On a log axis, powers of ten (or of two, if the range is short) have equal distances. */
  readonly scale: 'linear' | 'log';
};

/** How values along the y axis are printed; rates in [0, 1] as percent. */
export type FigureUnit = 'rate' | 'number';

/** A configuration. Its hue is its colour, here and in the window; its position in the figure decides mark and dash. */
type FigureSeries = {
  readonly label: string;
  readonly position: number;
  readonly hue: number;
  /** What the paper calls it, whose models others stand for; left out: the same. */
  readonly ofPaper?: string;
};

/** A figure as data, before any format. */
export type ReportFigure = {
  readonly id: string;
  readonly title: string;
  readonly scale: Scale;
  /** On what its values were measured and how often, in a sentence; left out: not known. It stands in the picture. */
  readonly basis?: string;
  /** Short sentences in the picture, e.g. what its bands are and where a paper's values are from. */
  readonly legend: readonly string[];
  /** Sentences for the caption. */
  readonly notes: readonly string[];
  /** How its values are computed: in the manifest. */
  readonly method: string;
  readonly complete: boolean;
} & (
  | {
      readonly kind: 'lines';
      readonly x: FigureAxis;
      readonly y: { readonly label: string; readonly unit: FigureUnit };
      readonly series: readonly (FigureSeries & {
        readonly points: readonly FigurePoint[];
        /** What is behind a line of runs or trainings at hand; left out: what is behind the whole figure. */
        readonly atHand?: AtHand;
        /** Points of the paper. */
        readonly reference: readonly { readonly x: number; readonly y: number; readonly source: string }[];
      })[];
    }
  | {
      readonly kind: 'bars';
      readonly y: { readonly label: string; readonly unit: FigureUnit };
      readonly groups: readonly string[];
      /** What the paper calls them; left out: the same. */
      readonly groupsOfPaper?: readonly string[];
      readonly series: readonly (FigureSeries & {
        /** One per group; null: not measured. */
        readonly bars: readonly (Omit<FigurePoint, 'x'> | null)[];
        /** The paper's values, one per group. */
        readonly reference: readonly ({ readonly y: number; readonly source: string } | null)[];
      })[];
    }
  | {
      /** Which configuration solves which problem: a row per configuration, a column per problem. */
      readonly kind: 'grid';
      readonly x: string;
      /** Ids, in the order of the columns. */
      readonly problems: readonly string[];
      readonly rows: readonly (FigureSeries & {
        /** One per problem: share of its seeds, in [0, 1]; null: not searched. */
        readonly shares: readonly (number | null)[];
      })[];
    }
);
