import { useMemo, useState } from 'react';
import type { Analysis, Breakdown, Stability } from '../../preload/contract/analysis';
import { firstAloneNote } from '../../preload/contract/plans/index';
import { percent, Section, Select, spreadRange } from '../widgets/index';
import { type Figure, type FigureColumn, FiguresTable, type NamedRow } from './figures-table';
import { MetricSelect, useMetric } from './metric-select';
import { PartDifferences } from './part-differences';
import { ShowMore, useVisibleRows } from './show-more';

const GROUPING_LABELS: Readonly<Record<Breakdown['by'], string>> = {
  difficulty: 'difficulty',
  platform: 'platform',
  month: 'contest month',
};

/** A metric by problem group (difficulty, platform, month), if the benchmark has such groups. */
export function BreakdownSection(props: { readonly rows: readonly NamedRow[]; readonly analysis: Analysis }) {
  const { analysis } = props;
  const kinds = [...new Set(analysis.breakdowns.map(({ by }) => by))];
  const [chosenBy, setBy] = useState<Breakdown['by'] | null>(null);
  const [metric, setMetric] = useMetric();
  const { shown, hidden, more } = useVisibleRows(props.rows);
  const by = kinds.find((kind) => kind === chosenBy) ?? kinds[0];
  const cells = useMemo(
    () =>
      new Map(
        analysis.breakdowns
          .filter((breakdown) => breakdown.by === by && breakdown.metric === metric)
          .map((breakdown) => [`${breakdown.configuration}\n${breakdown.part}`, breakdown]),
      ),
    [analysis.breakdowns, by, metric],
  );
  const pairs = useMemo(
    () => analysis.partPairs.filter((pair) => pair.by === by && pair.metric === metric),
    [analysis.partPairs, by, metric],
  );
  if (by === undefined) return null;
  const problems = new Map<string, number>();
  for (const cell of cells.values()) {
    problems.set(cell.part, Math.max(problems.get(cell.part) ?? 0, cell.problems));
  }
  return (
    <Section
      title="By problem group"
      aside={
        <>
          <Select
            aria-label="Group problems by"
            w={170}
            allowDeselect={false}
            value={by}
            data={kinds.map((kind) => ({ value: kind, label: `by ${GROUPING_LABELS[kind]}` }))}
            onChange={(value) => setBy(kinds.find((kind) => kind === value) ?? null)}
          />
          <MetricSelect
            label="Metric by problem group"
            has={(id) => analysis.breakdowns.some((breakdown) => breakdown.metric === id)}
            value={metric}
            onChange={setMetric}
          />
        </>
      }
    >
      <FiguresTable
        rows={shown}
        label="By problem group"
        columns={[...problems].map(([part, n]) => ({ id: part, label: `${part}, % (n = ${n})` }))}
        figureOf={(configuration, part) => percentFigure(cells.get(`${configuration}\n${part}`))}
      />
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
      <PartDifferences pairs={pairs} rows={props.rows} note={firstAloneNote(analysis.rows)} />
    </Section>
  );
}

/** G-Pass@k: how reliably independent samples pass. */
export function StabilitySection(props: { readonly rows: readonly NamedRow[]; readonly analysis: Analysis }) {
  const { analysis } = props;
  const { shown, hidden, more } = useVisibleRows(props.rows);
  if (analysis.stability.length === 0) return null;
  const idOf = ({ k, tau }: Stability): string => `${k} ${tau}`;
  const columns = new Map(
    analysis.stability.map((entry): [string, FigureColumn] => [
      idOf(entry),
      {
        id: idOf(entry),
        label: `k = ${entry.k}, τ = ${entry.tau}`,
        hint: `Probability that at least ${Math.ceil(entry.tau * entry.k)} of ${entry.k} independent samples pass`,
      },
    ]),
  );
  return (
    <Section title="Stability, G-Pass@k">
      <FiguresTable
        rows={shown}
        label="Stability"
        columns={[...columns.values()]}
        figureOf={(configuration, id) =>
          percentFigure(
            analysis.stability.find((entry) => entry.configuration === configuration && idOf(entry) === id),
          )
        }
      />
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
    </Section>
  );
}

function percentFigure(
  cell: Pick<Stability, 'value' | 'low' | 'high' | 'seedSpread'> | undefined,
): Figure | null {
  if (cell === undefined) return null;
  return { text: percent(cell.value), aside: spreadRange(cell.low, cell.high, cell.seedSpread) };
}
