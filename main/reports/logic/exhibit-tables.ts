import type {
  Exhibit,
  ExhibitCell,
  ExhibitMeasure,
  ExhibitResult,
  FilledCell,
} from '../../../preload/contract/index';
import {
  agentNames,
  cellKey,
  claimSentence,
  exhibitAtScale,
  measuresRate,
  replacedModels,
  SCALE_SENTENCES,
  standInTextInFull,
} from '../../../preload/contract/plans/index';
import { COST_OF_SAMPLES, COST_SHARES_NOTE } from './cost-shares';
import {
  benchmarkNotes,
  LEFT_OUT_OF_OTHERS,
  mainSentences,
  namesNote,
  tokensNote,
  tokensNotes,
  trainingNote,
} from './exhibit-notes';
import { measureMeaning, paperBasis } from './reading';
import {
  column,
  RATE,
  type ReportCell,
  type ReportRow,
  type ReportTable,
  type ReportUnit,
  text,
} from './report-table';

/** An exhibit as far as it is measured. */
export type ExhibitSource = {
  /** With the paper's names; tables and figures name the policies that answered. */
  readonly exhibit: Exhibit;
  /** The prices used for the measurement. */
  readonly seeds: readonly number[];
  readonly result: ExhibitResult;
};

export function unitOf(measure: ExhibitMeasure): ReportUnit {
  return measuresRate(measure) ? RATE : { kind: 'number', digits: 3 };
}

/** Paper, place and title. */
export function exhibitTitle({ paper, place, title }: Exhibit): string {
  const arxiv = paper.arxiv === null ? '' : ` (arXiv ${paper.arxiv})`;
  return `${paper.title}${arxiv}, ${place}: ${title}`;
}

/** The title of our own values, so that they are not taken for the paper's. A lab's own table needs no such title. */
export function layoutTitle(exhibit: Exhibit): string {
  const title = exhibitTitle(exhibit);
  return exhibit.paper.arxiv === null ? title : `In the layout of ${title}`;
}

type Placed = { readonly cell: ExhibitCell; readonly filled: FilledCell };

function placedCells({ exhibit, result }: ExhibitSource): ReadonlyMap<string, Placed> {
  const filled = new Map(result.cells.map((cell) => [cellKey(cell), cell]));
  const placed = exhibit.cells.flatMap((cell): [string, Placed][] => {
    const key = cellKey(cell);
    const value = filled.get(key);
    return value === undefined ? [] : [[key, { cell, filled: value }]];
  });
  return new Map(placed);
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

function reportCell({ result }: ExhibitSource, placed: Placed | undefined): ReportCell {
  if (placed === undefined) return text('');
  const { cell, filled } = placed;
  return {
    kind: 'estimate',
    ours: filled.ours,
    best: filled.highestOf !== undefined,
    test: filled.test ?? null,
    letters: null,
    reference: cell.reference,
    // A number of another scale says nothing about the paper's.
    difference: result.scale === 'paper' ? filled.difference : null,
    notComparable: filled.notComparable,
    state: stateText(filled),
    more: {
      cost_share_seconds: filled.cost.seconds,
      cost_share_gpu_seconds: filled.cost.gpuSeconds,
      cost_share_tokens: filled.cost.tokens,
    },
  };
}

/** Nodes of the trees behind a row's cells; null: they differ, or there are none. */
export function nodesOf({ exhibit, result }: ExhibitSource, rowId: string): number | null {
  const { scale } = result;
  const planned = scale === 'desk' || scale === 'own' ? undefined : exhibit.scales[scale]?.search.nodes;
  const own = exhibit.cells.filter(({ row }) => row === rowId).map((cell) => cell.configuration);
  const nodes = exhibit.configurations
    // Configurations that count only within another's tokens have no number of their own.
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

/** A row's names with the stand-ins first, and the paper's models separate from them. */
function rowNames(
  { exhibit, result: { scale } }: ExhibitSource,
  row: Exhibit['rows'][number],
): Pick<ReportRow, 'label' | 'group' | 'printed' | 'ofPaper' | 'configuration' | 'answeredBy' | 'inPlaceOf'> {
  const inFull = (text: string): string => standInTextInFull(exhibit, scale, text);
  const atScale = exhibitAtScale({ ...exhibit, rows: [row] }, scale);
  const shown = atScale.rows[0] ?? row;
  const own = exhibit.cells.filter((cell) => cell.row === row.id).map((cell) => cell.configuration);
  const searched = exhibit.configurations
    .filter(({ id }) => own.includes(id))
    .flatMap(({ models }) => models);
  const models = exhibit.models.filter(({ id }) => searched.includes(id));
  const names = atScale.configurations.flatMap(({ id, label }) => (own.includes(id) ? label : []));
  const inPlaceOf = replacedModels(scale, models);
  return {
    label: shown.label,
    group: shown.group,
    printed: { label: inFull(row.label), group: inFull(row.group) },
    ...(row.ours === true ? {} : { ofPaper: { label: row.label, group: row.group } }),
    ...(names.length === 1 ? { configuration: names[0] as string } : {}),
    answeredBy: inPlaceOf === '' ? '' : agentNames(exhibit, scale, models),
    inPlaceOf,
  };
}

/** A paper's table: each cell has the paper's value, ours and the difference. */
export function exhibitTable(source: ExhibitSource): ReportTable {
  const { exhibit, result, seeds } = source;
  const placed = placedCells(source);
  const claims = exhibit.claims.map(claimSentence);
  const main = mainSentences(result);
  const { differences = [] } = result;
  // What studies at hand fill is a table alone.
  const hasOthers = result.reproductionId !== null;
  const tokens = tokensNotes(source);
  const rows = exhibit.rows.map((row): ReportRow => {
    const names = rowNames(source, row);
    const note = tokens.find(({ configuration }) => configuration === names.configuration)?.text;
    return {
      ...names,
      ...(row.ours === true ? { isAdded: true } : {}),
      ...(note === undefined ? {} : { note }),
      ...{ seeds, scale: result.scale },
      ...atHandOf(source, row),
      nodes: nodesOf(source, row.id),
      cells: exhibit.columns.map(({ id }) =>
        reportCell(source, placed.get(cellKey({ row: row.id, column: id }))),
      ),
    };
  });
  const names = hasOthers ? namesNote(rows) : [];
  return {
    id: 'exhibit',
    latexLabel: exhibit.id,
    title: layoutTitle(exhibit),
    shortTitle: exhibit.title,
    rowTitle: '',
    columns: exhibit.columns.map(({ id, label, group }) => {
      const first = exhibit.cells.find((cell) => cell.column === id);
      if (first === undefined) return column(id, label, RATE, { group });
      return column(id, label, unitOf(first.measure), { group, meaning: measureMeaning(first.measure) });
    }),
    rows,
    notes: [
      ...benchmarkNotes(source),
      ...trainingNote(source),
      ...differences,
      ...tokensNote(source, hasOthers ? LEFT_OUT_OF_OTHERS : ''),
      ...main,
      ...names,
    ],
    sentences: [
      ...tokens.map(({ text: said }) => said),
      ...result.sentences,
      ...names,
      ...trainingNote(source),
    ],
    ...(exhibit.claims.length === 0 ? {} : { claims: exhibit.claims }),
    asides: [
      ...result.sentences.filter(
        (sentence) =>
          !main.includes(sentence) &&
          !differences.includes(sentence) &&
          // Its values say why they do not compare with the paper's.
          !Object.values<string>(SCALE_SENTENCES).includes(sentence),
      ),
      ...claims,
    ],
    method: result.method,
    moreMeaning:
      tokens.length === 0
        ? COST_SHARES_NOTE
        : `${COST_SHARES_NOTE}. Of rows of independent samples: ${COST_OF_SAMPLES.charAt(0).toLowerCase()}${COST_OF_SAMPLES.slice(1).replace(/\.$/, '')}`,
    complete: result.complete,
    ...(result.cells.some(({ highestOf }) => highestOf === 'row') ? { bestOf: 'row' } : {}),
    paperBasis: paperBasis(exhibit),
  };
}
