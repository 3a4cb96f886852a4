import { useMemo } from 'react';
import type { Analysis, Cost } from '../../preload/contract/analysis';
import { tokenText } from '../text/metrics';
import { count, Section } from '../widgets/index';
import styles from './compare.module.css';
import { type FigureColumn, FiguresTable, type NamedRow } from './figures-table';
import { ShowMore, useVisibleRows } from './show-more';

type CostColumn = FigureColumn & {
  readonly of: (cost: Cost) => number | null;
  readonly text: (value: number) => string;
  /** Its name among the spreads over the seeds. */
  readonly spread: keyof Cost;
  /** Whether a total is meaningful. */
  readonly adds: boolean;
};

const integerText = (value: number): string => count(Math.round(value));
const threeDigits = (value: number): string =>
  value >= 100 ? integerText(value) : String(Number(value.toPrecision(3)));

const COLUMNS: readonly CostColumn[] = [
  {
    id: 'candidates',
    spread: 'candidates',
    label: 'Candidates',
    of: (cost) => cost.candidates,
    text: integerText,
    adds: true,
  },
  {
    id: 'prompt',
    spread: 'promptTokens',
    label: 'Prompt tokens',
    of: (cost) => cost.promptTokens,
    text: integerText,
    adds: true,
  },
  {
    id: 'completion',
    spread: 'completionTokens',
    label: 'Completion tokens',
    of: (cost) => cost.completionTokens,
    text: integerText,
    adds: true,
  },
  {
    id: 'solved',
    spread: 'tokensPerSolved',
    label: 'Tokens per solved tree',
    hint: 'Tokens of the trees per tree solved in Pass@1(MCTS)',
    of: (cost) => cost.tokensPerSolved,
    text: integerText,
    adds: false,
  },
  {
    id: 'writing',
    spread: 'generateSeconds',
    label: 'Generation, s',
    hint: 'Sum over programs; more than the elapsed time',
    of: (cost) => cost.generateSeconds,
    text: integerText,
    adds: true,
  },
  {
    id: 'grading',
    spread: 'gradeSeconds',
    label: 'Grading, s',
    hint: 'Public tests, summed over programs that ran side by side: more than the elapsed time',
    of: (cost) => cost.gradeSeconds,
    text: integerText,
    adds: true,
  },
  {
    id: 'gpu',
    spread: 'gpuHours',
    label: 'GPU-hours',
    hint: "Estimated from the servers' GPUs and the generation time",
    of: (cost) => cost.gpuHours ?? null,
    text: threeDigits,
    adds: true,
  },
];

/** Cost of each configuration, and the total. */
export function CostsSection(props: { readonly analysis: Analysis; readonly rows: readonly NamedRow[] }) {
  const { analysis, rows } = props;
  const { shown, hidden, more } = useVisibleRows(rows);
  const costs = useMemo(() => new Map(analysis.costs.map((cost) => [cost.configuration, cost])), [analysis]);
  const currency = analysis.costs.find(({ money }) => money != null)?.money?.currency ?? null;
  const usesGpus = analysis.costs.some(({ gpuHours }) => (gpuHours ?? 0) > 0);
  const columns = useMemo<readonly CostColumn[]>(
    () => [
      ...COLUMNS.filter(({ id }) => id !== 'gpu' || usesGpus),
      {
        id: 'money',
        spread: 'money',
        label: currency === null ? 'Price' : `Price, ${currency}`,
        hint: 'From the prices in Settings',
        of: (cost) => cost.money?.amount ?? null,
        text: (value) => value.toFixed(value < 100 ? 2 : 0),
        adds: true,
      },
    ],
    [currency, usesGpus],
  );
  if (analysis.costs.length === 0) return null;
  const pocketTokens = analysis.rows.some(({ scale }) => scale === 'pocket') ? tokenText('pocket') : null;
  const sumOf = ({ adds, of, text }: CostColumn): string => {
    const values = analysis.costs.flatMap((cost) => of(cost) ?? []);
    return !adds || values.length === 0 ? '' : text(values.reduce((sum, value) => sum + value, 0));
  };
  return (
    <Section title="Cost">
      <FiguresTable
        rows={shown}
        label="Cost"
        columns={columns}
        figureOf={(configuration, id) => {
          const cost = costs.get(configuration);
          const column = columns.find((column) => column.id === id);
          const value = cost === undefined ? null : (column?.of(cost) ?? null);
          if (column === undefined || value === null) return null;
          const spread = cost?.seedSpreads?.[column.spread];
          return {
            text: column.text(value),
            ...(spread === undefined ? {} : { aside: `SD ${column.text(spread.sd)}` }),
          };
        }}
        foot={
          rows.length > 1 && (
            <tr>
              <th scope="row">Total</th>
              {columns.map((column) => (
                <td key={column.id}>{sumOf(column)}</td>
              ))}
            </tr>
          )
        }
      />
      <ShowMore hidden={hidden} noun="configuration" onMore={more} />
      <p className={styles.note}>
        Tokens per solved tree: those of the search trees alone, without the independent samples that the
        other columns count too, for each tree whose answer passes (Pass@1(MCTS)). Generation and grading:
        seconds added up over programs that were written and graded side by side, so more than the time that
        passed. Equal programs of a problem are graded once, for the configuration that wrote them first: so
        grading does not compare configurations.
        {analysis.costs.some(({ seedSpreads }) => seedSpreads !== undefined) &&
          ' SD: standard deviation of the seeds\u2019 own sums.'}
        {pocketTokens !== null && ` ${pocketTokens}`}
      </p>
      {currency === null && (
        <p className={styles.note}>
          Set prices for GPU-hours and tokens in <a href="#/settings">Settings</a> to see costs in money, here
          and as an x axis of the curves.
        </p>
      )}
    </Section>
  );
}
