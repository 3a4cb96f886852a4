import type {
  Analysis,
  Exhibit,
  ExhibitCell,
  ExhibitMeasure,
  ExhibitResult,
  FilledCell,
} from '../../../preload/contract/index';
import {
  agentNames,
  claimSentence,
  exhibitAtScale,
  measuresRate,
  replacedModels,
  standInTextInFull,
} from '../../../preload/contract/plans/index';
import {
  column,
  isHighest,
  number,
  RATE,
  type ReportCell,
  type ReportRow,
  type ReportTable,
  type ReportUnit,
  text,
} from './report-table';
import { lettersIn, shareLetter } from './results-table';

/** An exhibit as far as it is measured. */
export type ExhibitSource = {
  /** With the paper's names; tables and figures name the policies that answered. */
  readonly exhibit: Exhibit;
  /** The prices used for the measurement. */
  readonly seeds: readonly number[];
  readonly result: ExhibitResult;
  /** The comparison of its runs, under its configurations' labels; null: no search has run yet. */
  readonly analysis: Analysis | null;
};

export function unitOf(measure: ExhibitMeasure): ReportUnit {
  return measuresRate(measure) ? RATE : { kind: 'number', digits: 3 };
}

/** Paper, place and title. */
export function exhibitTitle({ paper, place, title }: Exhibit): string {
  return `${paper.title}, ${place}: ${title}`;
}

type Placed = { readonly cell: ExhibitCell; readonly filled: FilledCell };

function placedCells({ exhibit, result }: ExhibitSource): ReadonlyMap<string, Placed> {
  const filled = new Map(result.cells.map((cell) => [`${cell.row}.${cell.column}`, cell]));
  const placed = exhibit.cells.flatMap((cell): [string, Placed][] => {
    const key = `${cell.row}.${cell.column}`;
    const value = filled.get(key);
    return value === undefined ? [] : [[key, { cell, filled: value }]];
  });
  return new Map(placed);
}

/** The highest values of a column within a group of rows; of equal ones each. */
function bestIn(placed: readonly Placed[]): readonly Placed[] {
  const values = placed.flatMap(({ filled }) => filled.ours?.value ?? []);
  return placed.filter(({ filled }) => filled.ours !== null && isHighest(filled.ours.value, values));
}

function stateText({ state }: FilledCell): string {
  switch (state.kind) {
    case 'failed':
    case 'missing':
      return `${state.kind}: ${state.message}`;
    case 'done':
      return state.reused ? 'done, reused' : 'done';
    default:
      return state.kind;
  }
}

/** Was a cell compared with the best of its column, and does it differ from it? */
function againstBest(
  { exhibit, result, analysis }: ExhibitSource,
  placed: Placed,
  best: readonly Placed[],
): { readonly tested: boolean; readonly tiesBest: boolean } {
  const { measure } = placed.cell;
  if (analysis === null || measure.kind !== 'metric') return { tested: false, tiesBest: false };
  const shown = exhibitAtScale(exhibit, result.scale);
  const letters = ({ cell }: Placed): string | null => {
    const label = shown.configurations.find(({ id }) => id === cell.configuration)?.label ?? '';
    return lettersIn(analysis, measure.metric, label);
  };
  const own = letters(placed);
  const others = best.map(letters);
  return {
    tested: own !== null && others.some((other) => other !== null),
    tiesBest: !best.includes(placed) && others.some((other) => shareLetter(own, other)),
  };
}

function reportCell(source: ExhibitSource, placed: Placed | undefined, best: readonly Placed[]): ReportCell {
  if (placed === undefined) return text('');
  const { cell, filled } = placed;
  const { tested, tiesBest } = againstBest(source, placed, best);
  return {
    kind: 'estimate',
    ours: filled.ours,
    best: best.includes(placed),
    tiesBest: filled.ours !== null && tiesBest,
    tested,
    letters: null,
    reference: cell.reference,
    // A number of another scale says nothing about the paper's.
    difference: source.result.scale === 'paper' ? filled.difference : null,
    notComparable: filled.notComparable,
    state: stateText(filled),
    more: {
      cost_seconds: filled.cost.seconds,
      cost_gpu_seconds: filled.cost.gpuSeconds,
      cost_tokens: filled.cost.tokens,
    },
  };
}

/** Nodes of the trees behind a row's cells; null: they differ, or there are none. */
function nodesOf({ exhibit, result }: ExhibitSource, row: Exhibit['rows'][number]): number | null {
  const planned = result.scale === 'desk' ? undefined : exhibit.scales[result.scale]?.search.nodes;
  const own = exhibit.cells.filter((cell) => cell.row === row.id).map((cell) => cell.configuration);
  const nodes = exhibit.configurations
    .filter(({ id }) => own.includes(id))
    .map(({ search }) => search.nodes ?? planned);
  const [first] = nodes;
  return first !== undefined && nodes.every((other) => other === first) ? first : null;
}

/** A row's names with the stand-ins first, and the paper's models separate from them. */
function rowNames(
  { exhibit, result: { scale } }: ExhibitSource,
  row: Exhibit['rows'][number],
): Pick<ReportRow, 'label' | 'group' | 'printed' | 'answeredBy' | 'inPlaceOf'> {
  const inFull = (text: string): string => standInTextInFull(exhibit, scale, text);
  const shown = exhibitAtScale({ ...exhibit, rows: [row] }, scale).rows[0] ?? row;
  const own = exhibit.cells.filter((cell) => cell.row === row.id).map((cell) => cell.configuration);
  const searched = exhibit.configurations
    .filter(({ id }) => own.includes(id))
    .flatMap(({ models }) => models);
  const models = exhibit.models.filter(({ id }) => searched.includes(id));
  const inPlaceOf = replacedModels(scale, models);
  return {
    label: shown.label,
    group: shown.group,
    printed: { label: inFull(row.label), group: inFull(row.group) },
    answeredBy: inPlaceOf === '' ? '' : agentNames(exhibit, scale, models),
    inPlaceOf,
  };
}

/** A paper's table: each cell has the paper's value, ours and the difference. */
export function exhibitTable(source: ExhibitSource): ReportTable {
  const { exhibit, result, seeds } = source;
  const placed = placedCells(source);
  const inColumn = (group: string, columnId: string): Placed[] =>
    exhibit.rows.flatMap((row) => {
      const cell = row.group === group ? placed.get(`${row.id}.${columnId}`) : undefined;
      return cell === undefined ? [] : [cell];
    });
  const claims = exhibit.claims.map(claimSentence);
  return {
    id: 'exhibit',
    latexLabel: exhibit.id,
    title: exhibitTitle(exhibit),
    rowTitle: '',
    columns: exhibit.columns.map(({ id, label, group }) => {
      const first = exhibit.cells.find((cell) => cell.column === id);
      return column(id, label, first === undefined ? RATE : unitOf(first.measure), { group });
    }),
    rows: exhibit.rows.map((row) => ({
      ...rowNames(source, row),
      seeds,
      scale: result.scale,
      nodes: nodesOf(source, row),
      cells: exhibit.columns.map(({ id }) =>
        reportCell(source, placed.get(`${row.id}.${id}`), bestIn(inColumn(row.group, id))),
      ),
    })),
    notes: [...result.sentences, ...claims].filter((note) => note !== ''),
    method: result.method,
    complete: result.complete,
  };
}

/** The cost of every cell; the sum is the cost of the jobs. */
export function exhibitCosts(source: ExhibitSource): ReportTable {
  const { result, seeds } = source;
  const exhibit = exhibitAtScale(source.exhibit, result.scale);
  const { scale } = result;
  const label = (list: Exhibit['rows'] | Exhibit['columns'], id: string): string => {
    const item = list.find((item) => item.id === id);
    if (item === undefined) return id;
    return item.group === '' ? item.label : `${item.group}, ${item.label}`;
  };
  const sum = (part: 'seconds' | 'gpuSeconds' | 'tokens'): number | null => {
    const costs = result.cells.flatMap(({ cost }) => cost[part] ?? []);
    return costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0);
  };
  return {
    id: 'cell-costs',
    latexLabel: `${exhibit.id}-costs`,
    title: `Costs of the cells. ${exhibitTitle(exhibit)}`,
    rowTitle: 'Cell',
    columns: [
      column('seconds', 'Seconds', { kind: 'number', digits: 1 }),
      column('gpu_seconds', 'GPU-seconds', { kind: 'number', digits: 1 }),
      column('tokens', 'Tokens'),
    ],
    rows: [
      ...result.cells.map(({ row, column: at, cost }) => ({
        label: `${label(exhibit.rows, row)}: ${label(exhibit.columns, at)}`,
        group: '',
        seeds,
        scale,
        cells: [number(cost.seconds), number(cost.gpuSeconds), number(cost.tokens)],
      })),
      {
        label: 'All cells',
        group: '',
        seeds,
        scale,
        cells: [number(sum('seconds')), number(sum('gpuSeconds')), number(sum('tokens'))],
      },
    ],
    notes: ['Each cell gets a share of the cost of every job that it needs.'],
    method: '',
    complete: result.complete,
  };
}
