import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../preload/contract/experiment';

/** Below this a difference is told. */
export const SIGNIFICANCE = 0.05;
/** What is shown before the rest is asked for. */
const MOST_AT_ONCE = 30;

export type PairFilter = {
  /** "metric part". */
  readonly measure: string;
  /** Pairs with this row alone; null: all. */
  readonly label: string | null;
  /** Those alone that can be told apart. */
  readonly significantOnly: boolean;
  readonly all: boolean;
};

export type PairList = {
  readonly measures: readonly {
    readonly id: string;
    readonly metric: ExperimentMetric;
    readonly part: ExperimentPart;
  }[];
  readonly measure: string | null;
  readonly pairs: readonly ExperimentPair[];
  /** Pairs that fit, but are left out until they are asked for. */
  readonly hidden: number;
};

function measureId({ metric, part }: Pick<ExperimentPair, 'metric' | 'part'>): string {
  return `${metric} ${part}`;
}

/** The pairs that fit the wish, the surest differences first. */
export function listedPairs(pairs: readonly ExperimentPair[], wish: PairFilter): PairList {
  const measures = new Map(
    pairs.map(({ metric, part }) => {
      const id = measureId({ metric, part });
      return [id, { id, metric, part }] as const;
    }),
  );
  const measure = measures.get(wish.measure)?.id ?? [...measures.keys()][0] ?? null;
  const fitting = pairs
    .filter(
      (pair) =>
        measureId(pair) === measure &&
        (wish.label === null || pair.first === wish.label || pair.second === wish.label) &&
        (!wish.significantOnly || pair.pHolm < SIGNIFICANCE),
    )
    .sort((a, b) => a.pHolm - b.pHolm || Math.abs(b.difference) - Math.abs(a.difference));
  const shown = wish.all ? fitting : fitting.slice(0, MOST_AT_ONCE);
  return { measures: [...measures.values()], measure, pairs: shown, hidden: fitting.length - shown.length };
}

/** A p-value as it stands in a table: "< 0.001", "0.012"; "–" where there is none. */
export function pWords(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
