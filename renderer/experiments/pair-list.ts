import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../preload/contract/experiment';
import { differsByBothTests, pText } from '../../preload/contract/plans/index';

/** Pairs shown before "Show more". */
const PAGE = 30;

export type PairFilter = {
  /** "metric part". */
  readonly measure: string;
  /** Only pairs with this row; null: all. */
  readonly label: string | null;
  /** Only significant differences. */
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
  /** Matching pairs that are not shown yet. */
  readonly hidden: number;
};

function measureId({ metric, part }: Pick<ExperimentPair, 'metric' | 'part'>): string {
  return `${metric} ${part}`;
}

/** The pairs that match the filter, most significant first. */
export function listedPairs(pairs: readonly ExperimentPair[], filter: PairFilter): PairList {
  const measures = new Map(
    pairs.map(({ metric, part }) => {
      const id = measureId({ metric, part });
      return [id, { id, metric, part }] as const;
    }),
  );
  const measure = measures.get(filter.measure)?.id ?? [...measures.keys()][0] ?? null;
  const matching = pairs
    .filter(
      (pair) =>
        measureId(pair) === measure &&
        (filter.label === null || pair.first === filter.label || pair.second === filter.label) &&
        (!filter.significantOnly || differsByBothTests(pair)),
    )
    .sort((a, b) => a.pHolm - b.pHolm || Math.abs(b.difference) - Math.abs(a.difference));
  const shown = filter.all ? matching : matching.slice(0, PAGE);
  return { measures: [...measures.values()], measure, pairs: shown, hidden: matching.length - shown.length };
}

/** A p-value for a table; "–" if there is none. */
export function pCell(p: number | null): string {
  return p === null ? '–' : pText(p);
}
