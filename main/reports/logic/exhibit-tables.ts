import type {
  Analysis,
  Exhibit,
  ExhibitCell,
  ExhibitMeasure,
  ExhibitResult,
  FilledCell,
} from '../../../preload/contract/index';
import {
  ALWAYS_SAID,
  agentNames,
  claimSentence,
  exhibitAtScale,
  measuresRate,
  replacedModels,
  standInTextInFull,
} from '../../../preload/contract/plans/index';
import { measureMeaning, paperBasis } from './reading';
import {
  column,
  isHighest,
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
  const arxiv = paper.arxiv === null ? '' : ` (arXiv ${paper.arxiv})`;
  return `${paper.title}${arxiv}, ${place}: ${title}`;
}

/** Of what is ours: it must not be taken for the paper's own. A table of one's own is nobody else's. */
export function layoutTitle(exhibit: Exhibit): string {
  const title = exhibitTitle(exhibit);
  return exhibit.paper.arxiv === null ? title : `In the layout of ${title}`;
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
  const { scale } = result;
  const planned = scale === 'desk' || scale === 'own' ? undefined : exhibit.scales[scale]?.search.nodes;
  const own = exhibit.cells.filter((cell) => cell.row === row.id).map((cell) => cell.configuration);
  const nodes = exhibit.configurations
    // Those that count only as far as another's tokens go have no number of their own.
    .filter(({ id, tokensOf }) => own.includes(id) && tokensOf === undefined)
    .map(({ search }) => search.nodes ?? planned);
  const [first] = nodes;
  return first !== undefined && nodes.every((other) => other === first) ? first : null;
}

/** Scale, seeds and models of a row's own runs, in a table of runs at hand; of several scales the first that is not the paper's. */
function atHandOf(
  { result }: ExhibitSource,
  row: Exhibit['rows'][number],
): Partial<Pick<ReportRow, 'scale' | 'seeds' | 'answeredBy'>> {
  const runs = result.cells.flatMap((cell) => (cell.row === row.id ? (cell.atHand ?? []) : []));
  const scales = runs.map(({ scale }) => scale);
  const [scale] = [...scales.filter((one) => one !== 'paper'), ...scales];
  if (scale === undefined) return {};
  const seeds = [...new Set(runs.flatMap((one) => one.seeds))].sort((a, b) => a - b);
  return { scale, seeds, answeredBy: [...new Set(runs.flatMap(({ models }) => models))].join(' + ') };
}

/** The benchmark of each column of runs at hand, where there are several. */
function benchmarkNotes({ exhibit, result }: ExhibitSource): string[] {
  const all = new Set(result.cells.flatMap(({ atHand }) => atHand?.benchmarks ?? []));
  if (all.size < 2) return [];
  const texts = exhibit.columns.flatMap(({ id, label, group }) => {
    const own = result.cells
      .filter(({ column }) => column === id)
      .flatMap(({ atHand }) => atHand?.benchmarks ?? []);
    const name = group === '' ? label : `${group}, ${label}`;
    return own.length === 0 ? [] : [`${name}: ${[...new Set(own)].join(' and ')}`];
  });
  return [`Problems of: ${texts.join('; ')}.`];
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
  const main = mainSentences(result);
  return {
    id: 'exhibit',
    latexLabel: exhibit.id,
    title: layoutTitle(exhibit),
    rowTitle: '',
    columns: exhibit.columns.map(({ id, label, group }) => {
      const first = exhibit.cells.find((cell) => cell.column === id);
      if (first === undefined) return column(id, label, RATE, { group });
      return column(id, label, unitOf(first.measure), { group, meaning: measureMeaning(first.measure) });
    }),
    rows: exhibit.rows.map((row) => ({
      ...rowNames(source, row),
      ...(row.ours === true ? { isAdded: true } : {}),
      ...{ seeds, scale: result.scale },
      ...atHandOf(source, row),
      nodes: nodesOf(source, row),
      cells: exhibit.columns.map(({ id }) =>
        reportCell(source, placed.get(`${row.id}.${id}`), bestIn(inColumn(row.group, id))),
      ),
    })),
    notes: [...benchmarkNotes(source), ...tokensNote(source), ...main],
    sentences: [...tokensNotes(source), ...result.sentences],
    asides: [...result.sentences.filter((sentence) => !main.includes(sentence)), ...claims],
    method: result.method,
    complete: result.complete,
    paperBasis: paperBasis(exhibit),
  };
}

/** What is always said beside it; of other scales than pocket the first sentence. The manifest has what each test found. */
function mainSentences({ sentences }: ExhibitResult): readonly string[] {
  const always = sentences.filter((sentence) => ALWAYS_SAID.includes(sentence));
  return always.length > 0 ? always : sentences.slice(0, 1);
}

/** What `tokensNotes` says, in print: several rows need one note. */
function tokensNote(source: ExhibitSource): readonly string[] {
  const notes = tokensNotes(source);
  if (notes.length < 2) return notes;
  return [
    "Independent samples have no tree, so that N does not apply: as many of their programs count as fit into the tokens of another row's tree. Tables and figures that count all programs leave them out.",
  ];
}

/** How many programs count of a row that may spend only the tokens of another. */
function tokensNotes({ exhibit, result }: ExhibitSource): string[] {
  const { configurations, rows, cells } = exhibitAtScale(exhibit, result.scale);
  return configurations.flatMap(({ id, label, tokensOf }) => {
    const other = configurations.find((configuration) => configuration.id === tokensOf);
    if (other === undefined) return [];
    // As the table calls it, where it is a row.
    const shown = new Set(cells.filter(({ configuration }) => configuration === id).map(({ row }) => row));
    const name = shown.size === 1 ? rows.find((row) => shown.has(row.id))?.label : undefined;
    return `"${name ?? label}": independent attempts without a tree, so that N does not apply; as many of its programs count as fit into the tokens of the tree of "${other.label}", problem by problem and seed by seed. Tables and figures that count all programs leave it out.`;
  });
}
