import type { AtHand } from '../../../preload/contract';
import { figureSentences } from './reading';
import type { ReportFigure } from './report-figure';
import type { Conclusions, ReportTable } from './report-table';
import { allSaid } from './table-json';

/** How the values of documents are computed, what can be concluded from each of their tables, and what their lines are of. */
export function explanationsOf({
  tables,
  figures,
}: {
  readonly tables: readonly ReportTable[];
  readonly figures: readonly ReportFigure[];
}): {
  readonly methods: readonly string[];
  readonly conclusions: readonly Conclusions[];
  readonly atHand: readonly AtHand[];
} {
  const idsOf = new Map<string, string[]>();
  for (const { id, method } of [...tables, ...figures]) {
    if (method !== '') idsOf.set(method, [...(idsOf.get(method) ?? []), id]);
  }
  return {
    methods: [...idsOf].map(([method, ids]) => `${[...new Set(ids)].join(', ')}: ${method}`),
    atHand: figures.flatMap((figure) =>
      figure.kind === 'lines' ? figure.series.flatMap(({ atHand }) => atHand ?? []) : [],
    ),
    conclusions: [
      ...tables.map((table) => ({ table: table.id, sentences: allSaid(table) })),
      ...figures.map((figure) => ({ figure: figure.id, sentences: figureSentences(figure) })),
    ],
  };
}
