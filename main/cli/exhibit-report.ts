import type {
  CellState,
  Exhibit,
  ExhibitReference,
  ExhibitResult,
  FilledCell,
} from '../../preload/contract/index';
import {
  atHandText,
  cellKey,
  claimSentence,
  fixedText,
  isRateColumn,
  isSecondHand,
  measuresRate,
  percentText,
  standInTextInFull,
  untrainedOf,
} from '../../preload/contract/plans/index';
import { assertNever } from '../base/index';
import { columns, intervalText, spreadText } from './report';

/** The exhibit as the paper shows it: in each cell ours with its interval, and the paper's number. */
export function exhibitText(exhibit: Exhibit | null, result: ExhibitResult): string {
  const rows =
    exhibit?.rows ??
    [...new Set(result.cells.map(({ row }) => row))].map((id) => ({ id, label: id, group: '' }));
  const heads =
    exhibit?.columns ??
    [...new Set(result.cells.map(({ column }) => column))].map((id) => ({ id, label: id }));
  const sources = sourcesOf(exhibit);
  const shown = new Map(exhibit?.cells.map((cell) => [cellKey(cell), cell]));
  const named = (text: string): string =>
    exhibit === null ? text : standInTextInFull(exhibit, result.scale, text);
  const headText = ({ id, label }: (typeof heads)[number]): string =>
    exhibit === null || isRateColumn(exhibit, id) ? `${label} (%)` : label;
  // Of runs at hand each row has its own.
  const scaleOf = (row: string): string => {
    const own = result.cells.flatMap((cell) => (cell.row === row ? (cell.atHand ?? []) : []));
    return [...new Set(own.map(({ scale }) => scale))].join(' and ') || result.scale;
  };
  const scales = new Set(rows.map(({ id }) => scaleOf(id)));
  const isOneScale = scales.size < 2;
  const lines = rows.map(({ id, label, group }) => [
    named(group === '' ? label : `${group}: ${label}`),
    ...heads.map((head) => {
      const cell = result.cells.find(({ row, column }) => row === id && column === head.id);
      if (cell === undefined) return '';
      const own = shown.get(`${id}.${head.id}`);
      const isRate = own === undefined || measuresRate(own.measure);
      return `${oursText(cell, isRate)} | ${referenceText(own?.reference ?? [], sources)}`;
    }),
    ...(isOneScale ? [] : [scaleOf(id)]),
  ]);
  const series = result.series.map((line) => [
    named(exhibit?.series.find(({ id }) => id === line.id)?.label ?? line.id),
    cellStateText(line.state),
    `${line.points.length}`,
    lastPoint(line.points),
  ]);
  return [
    ...(lines.length === 0
      ? []
      : columns(['', ...heads.map(headText), ...(isOneScale ? [] : ['scale'])], lines)),
    ...(lines.length === 0
      ? []
      : [
          '',
          `Ours at ${isOneScale ? [...scales].join() : "each row's"} scale, [95 % interval] | the paper's.`,
          ...sourceLines(sources),
        ]),
    ...(series.length === 0 ? [] : ['', ...columns(['line', 'state', 'points', 'last, in percent'], series)]),
    ...atHandLines(exhibit, result),
    ...notComparableLines(result),
    '',
    ...result.sentences,
    ...(exhibit?.claims ?? []).map(claimSentence),
    '',
  ].join('\n');
}

/** The source of each line over runs or trainings at hand. */
function atHandLines(exhibit: Exhibit | null, { series }: ExhibitResult): string[] {
  const lines = series.flatMap(({ id, atHand }) => {
    const label = exhibit?.series.find((line) => line.id === id)?.label ?? id;
    return atHand === undefined ? [] : [`${label}: ${atHandText(atHand)}.`];
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Why measured values are not comparable with the paper's: each reason once. */
function notComparableLines({ cells, series }: ExhibitResult): string[] {
  const measured = [
    ...cells.filter(({ ours }) => ours !== null),
    ...series.filter(({ points }) => points.length > 0),
  ];
  const reasons = new Map<string, number>();
  for (const reason of measured.flatMap(({ notComparable }) => notComparable)) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([reason, number]) =>
    number === measured.length ? `  ${reason}` : `  ${reason} (${number} of ${measured.length})`,
  );
  return ['', "Not comparable with the paper's numbers:", ...lines];
}

/** The configurations that a study of small models may fill, with the ids that `exhibits fill --row` takes. */
export function fillableText(exhibit: Exhibit): string {
  const untrained = untrainedOf(exhibit);
  if (untrained.length === 0) return '';
  const rows = untrained.map((configuration) => [configuration.id, configuration.label]);
  const command = `Rows that a study can fill: mars2 exhibits fill ${exhibit.id} --study STUDY --row ID=NAME`;
  return [...columns(['id', 'configuration'], rows), '', command, ''].join('\n');
}

function oursText({ ours, state }: FilledCell, isRate: boolean): string {
  if (ours === null) return cellStateText(state);
  const number = (value: number): string => (isRate ? percentText(value) : fixedText(value, 2));
  return `${number(ours.value)}${intervalText(ours, number)}${spreadText(ours.seedSpread, number)}`;
}

/** Where the values in the cells were read, each once. */
function sourcesOf(exhibit: Exhibit | null): readonly string[] {
  const all = exhibit?.cells.flatMap(({ reference }) => reference.map(({ source }) => source));
  return [...new Set(all)];
}

/** "57.1*(1), 58.3(2)": each with the number of its source, and a star if it was read second-hand. */
function referenceText(references: readonly ExhibitReference[], sources: readonly string[]): string {
  if (references.length === 0) return '-';
  const texts = references.map(({ value, unit, source }) => {
    const number = unit === 'number' ? String(value) : value.toFixed(1);
    return `${number}${isSecondHand({ source }) ? '*' : ''}(${sources.indexOf(source) + 1})`;
  });
  return texts.join(', ');
}

function sourceLines(sources: readonly string[]): string[] {
  return [
    ...sources.map((source, at) => `  (${at + 1}) ${source}`),
    ...(sources.some((source) => isSecondHand({ source }))
      ? ['  * second-hand: read in the text named, not in the paper itself']
      : []),
  ];
}

function lastPoint(points: ExhibitResult['series'][number]['points']): string {
  const last = points.at(-1);
  return last === undefined ? '' : `${percentText(last.y)} at ${last.x}`;
}

function cellStateText(state: CellState): string {
  switch (state.kind) {
    case 'empty':
    case 'planned':
      return state.kind;
    case 'missing':
      return 'not measured';
    case 'done':
      return state.reused ? 'done (reused)' : 'done';
    case 'failed':
      return 'failed';
    case 'running':
      return `${Math.round(state.share01 * 100)} %`;
    default:
      return assertNever(state);
  }
}
