import type {
  Exhibit,
  ExhibitReference,
  FilledCell,
  Scale,
  SeedSpread,
  SeedSpreads,
} from '../../../preload/contract/index';

/**
 * How a number is printed. rate: in [0, 1], as percent; points: a difference of rates; number: with `digits` decimals.
 */
export type ReportUnit =
  | { readonly kind: 'rate' }
  | { readonly kind: 'points' }
  /** `of`: what it counts, for files where each row names its unit; left out: the column says it. `isProbability`: it is never printed as 0 where it is more. */
  | {
      readonly kind: 'number';
      readonly digits: number;
      readonly of?: string;
      readonly isProbability?: true;
      readonly isRatio?: true;
    };

/** A measured value with its 95 % interval; a ratio and the upper end of its interval may be infinite (in JSON null). */
export type ReportEstimate = {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly problems: number;
  /** The number of seeds; the row has their list. */
  readonly seeds: number;
  /** Left out: fewer than two seeds. */
  readonly seedSpread?: SeedSpread | undefined;
  /** Each seed's own value, by its number; left out: fewer than two seeds, or they are not known. */
  readonly seedValues?: Readonly<Record<string, number>> | undefined;
};

/** A test of a value against the best of its column, or against the value of the method named, then with what it found; `isSignificant` null: it could not be made. */
export type CellTest = Omit<NonNullable<FilledCell['test']>, 'against'> & { readonly against: string | null };

export type ReportCell =
  | { readonly kind: 'text'; readonly text: string }
  /** null: there is none. */
  | {
      readonly kind: 'number';
      readonly value: number | null;
      /** Of the seeds' own numbers; left out: fewer than two seeds, or it is not known. */
      readonly seedSpread?: SeedSpread | undefined;
    }
  | {
      readonly kind: 'estimate';
      /** null: not measured. */
      readonly ours: ReportEstimate | null;
      /** The highest of its column, or of its group of rows in it; of equal ones each. */
      readonly best: boolean;
      /** What a test of it found; null: none was to be made, as of the best ones themselves. */
      readonly test: CellTest | null;
      /** Configurations that share a letter do not differ significantly in this metric; null: nothing was compared. */
      readonly letters: string | null;
      /** A paper's numbers; `difference` is relative to the first. */
      readonly reference: readonly ExhibitReference[];
      /** Ours minus the paper's, in the unit of the paper's. */
      readonly difference: number | null;
      /** Why ours is not comparable with the paper's number, a sentence for each reason. */
      readonly notComparable: readonly string[];
      /** e.g. "done", "planned", "failed: ..."; null: not applicable. */
      readonly state: string | null;
      /** Columns of the long CSV only, e.g. the number of candidates. */
      readonly more: Readonly<Record<string, number | null>>;
    };

export type ReportColumn = {
  /** Stable: the name in CSV and JSON. */
  readonly id: string;
  readonly label: string;
  /** Adjacent columns with the same group get a common heading; "": no group. */
  readonly group: string;
  readonly unit: ReportUnit;
  /** false: only in data files, because a printed table would get too wide. */
  readonly printed: boolean;
  /** Follows from measured values, so that print has their scale over it as well; left out: it does where it has such values. */
  readonly ofScale?: boolean;
  /** What is measured, for a reader who knows no name of a metric; left out: the label says it. */
  readonly meaning?: string;
};

export type ReportRow = {
  readonly label: string;
  /** Adjacent rows with the same group get a common heading; "": no group. */
  readonly group: string;
  /** Label and group in printed tables; left out: unchanged. */
  readonly printed?: { readonly label: string; readonly group: string };
  /** Label and group as the paper has them; left out: unchanged. */
  readonly ofPaper?: { readonly label: string; readonly group: string };
  /** What its configuration is called in other tables; left out: as the row, or it has several. */
  readonly configuration?: string;
  /** What a reader of the row alone must know; left out: nothing. */
  readonly note?: string;
  /**
   * Policies that stand for models of a paper, e.g. "reader + tracer", and these models; "" or left out: there are
   * none.
   */
  readonly answeredBy?: string;
  readonly inPlaceOf?: string;
  /** We added it: the paper has no such row. Left out: it is the paper's, or there is no paper. */
  readonly isAdded?: boolean;
  /** The seeds' numbers; a table shows only how many there are. */
  readonly seeds: readonly number[];
  /** null: nothing was measured, so that it has no scale, and no seeds. */
  readonly scale: Scale | null;
  /** Nodes of a search tree (N) behind it; null or left out: none, or several numbers. */
  readonly nodes?: number | null;
  /** One per column, in their order. */
  readonly cells: readonly ReportCell[];
};

/** A table as data, before any format. */
export type ReportTable = {
  readonly id: string;
  readonly title: string;
  /** For a caption of two lines, under which the title is a note; left out: the title is as short. */
  readonly shortTitle?: string;
  /** What LaTeX refers to it by; left out: its id. */
  readonly latexLabel?: string;
  /** Of its problems, by id; left out or "": none, or a table of something else. */
  readonly benchmark?: string;
  /** How many problems of it were searched, for tables whose values do not say; left out: not known, or not the same everywhere. */
  readonly searched?: number;
  /** On what the paper's numbers were measured; left out or "": it has none, or that is not known. */
  readonly paperBasis?: string;
  /** Heading of the first column, e.g. "Configuration". */
  readonly rowTitle: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** Its rows are not about methods of training, even where their names have one; left out: they may be. */
  readonly namesNoMethods?: true;
  /** Sentences under it: what its columns are, and what no reader may do without. */
  readonly notes: readonly string[];
  /** All conclusions and limits, the most important first: in JSON and in the manifest. Left out: none. */
  readonly sentences?: readonly string[];
  /** Numbers of the paper that stand in no cell; left out: none. */
  readonly claims?: Exhibit['claims'];
  /** Further sentences that a table does without, e.g. claims of the paper in full; left out: none. */
  readonly asides?: readonly string[];
  /** How its values, intervals and tests are computed: in the manifest, not under the table; "": nothing to say. */
  readonly method: string;
  /** What `more` of its values is; left out: its names say it. */
  readonly moreMeaning?: string;
  /** Among which values the best ones are; left out: those of a column, in a group of rows. */
  readonly bestOf?: 'row';
  /** How its values were tested against the best ones; left out or "": they were not. */
  readonly tests?: string;
  /** Are all its measurements there? */
  readonly complete: boolean;
  /** Which grading of its studies counts, in words; left out: each has only one. */
  readonly grading?: string;
  /** How often results could be looked at before these; left out: once. */
  readonly looks?: number | undefined;
};

/** Conclusions from a table and their limits, or all that is said of a figure, in sentences. */
export type Conclusions = { readonly sentences: readonly string[] } & (
  | { readonly table: string }
  | { readonly figure: string }
);

/** The estimates among cells, in their order. */
export function estimatesIn(
  cells: readonly (ReportCell | undefined)[],
): Extract<ReportCell, { kind: 'estimate' }>[] {
  return cells.flatMap((cell) => (cell?.kind === 'estimate' ? [cell] : []));
}

/** How far apart the seeds' own numbers are; undefined: fewer than two, or not known. */
export function spreadOf(cell: ReportCell | undefined): SeedSpread | undefined {
  if (cell?.kind === 'estimate') return cell.ours?.seedSpread;
  return cell?.kind === 'number' ? cell.seedSpread : undefined;
}

/** An estimate without comparison or reference. */
export function plainEstimate(ours: ReportEstimate | null): Extract<ReportCell, { kind: 'estimate' }> {
  return {
    kind: 'estimate',
    ours,
    best: false,
    test: null,
    letters: null,
    reference: [],
    difference: null,
    notComparable: [],
    state: null,
    more: {},
  };
}

/** Shorthands for plain cells and columns. */
export const text = (value: string | null): ReportCell => ({ kind: 'text', text: value ?? '' });
export const number = (value: number | null | undefined, seedSpread?: SeedSpread): ReportCell => ({
  kind: 'number',
  value: value ?? null,
  // Without a value there is nothing that could spread: a bundle keeps the spread of a price that it leaves out.
  ...(seedSpread === undefined || (value ?? null) === null ? {} : { seedSpread }),
});

/** These numbers of a record, each with the spread of the seeds' own. */
export function numbersOf<K extends string>(
  record: Readonly<Partial<Record<K, number | null | undefined>>> & {
    readonly seedSpreads?: SeedSpreads | undefined;
  },
  names: readonly K[],
): ReportCell[] {
  return names.map((name) => number(record[name], record.seedSpreads?.[name]));
}

export const WHOLE: ReportUnit = { kind: 'number', digits: 0 };
export const RATE: ReportUnit = { kind: 'rate' };
/** Of p-values. */
export const P: ReportUnit = { kind: 'number', digits: 4, isProbability: true };
export const POINTS: ReportUnit = { kind: 'points' };

export function column(
  id: string,
  label: string,
  unit: ReportUnit = WHOLE,
  more: Partial<Pick<ReportColumn, 'group' | 'printed' | 'ofScale' | 'meaning'>> = {},
): ReportColumn {
  return { id, label, unit, group: '', printed: true, ...more };
}
