import type { Exhibit, ExhibitMeasure, ExhibitReference } from '../../../preload/contract/index';
import { exhibitAtScale, standInTextInFull } from '../../../preload/contract/plans/index';
import { type FigureSource, meaningText, paperLegend, scaleOf } from './exhibit-legend';
import { lineFigures } from './exhibit-lines';
import { figureCautions, tokensNote, trainingNote } from './exhibit-notes';
import { type ExhibitSource, layoutTitle, unitOf } from './exhibit-tables';
import { methodsIn } from './method-notes';
import { figureLimits, resampledOver, SEED_MEANING } from './reading';
import type { FigureUnit, ReportFigure } from './report-figure';

type Bars = Extract<ReportFigure, { kind: 'bars' }>;
type BarGroups = Pick<Bars, 'groups' | 'groupsOfPaper' | 'series'>;

/** With more bars than this a table is easier to read. */
const MAX_GROUPS = 12;
const MAX_SERIES = 8;

/** A paper's number on our axis: percent becomes a rate. */
function onAxis(reference: ExhibitReference | undefined): number | null {
  if (reference === undefined || reference.unit === 'points') return null;
  // Without the rounding errors of the division.
  return reference.unit === '%' ? Number((reference.value / 100).toPrecision(12)) : reference.value;
}

const sameMeasure = (first: ExhibitMeasure, second: ExhibitMeasure): boolean =>
  JSON.stringify(first) === JSON.stringify(second);

function barAt(source: ExhibitSource, row: string, column: string): Bars['series'][number]['bars'][number] {
  const ours = source.result.cells.find((cell) => cell.row === row && cell.column === column)?.ours ?? null;
  return ours === null ? null : { y: ours.value, low: ours.low, high: ours.high };
}

function paperAt(
  { exhibit }: ExhibitSource,
  row: string,
  column: string,
): Bars['series'][number]['reference'][number] {
  const [reference] =
    exhibit.cells.find((cell) => cell.row === row && cell.column === column)?.reference ?? [];
  const y = onAxis(reference);
  return reference === undefined || y === null ? null : { y, source: reference.source };
}

const unique = (labels: readonly string[]): string[] => [...new Set(labels)];

/** Rows along x and a colour per column, if all columns measure the same. */
function barsByRow(source: FigureSource): BarGroups {
  const { rows, columns } = source.exhibit;
  const repeats = unique(rows.map(({ label }) => label)).length < rows.length;
  const name = ({ label, group }: Exhibit['rows'][number]): string =>
    repeats && group !== '' ? `${label} (${group.split(':')[0]})` : label;
  return {
    groups: rows.map(name),
    groupsOfPaper: source.paper.rows.map(name),
    series: columns.map(({ id, label }, position) => ({
      label,
      position,
      hue: position,
      bars: rows.map((row) => barAt(source, row.id, id)),
      reference: rows.map((row) => paperAt(source, row.id, id)),
    })),
  };
}

/** Rows along x, in one colour. */
function barsOfRows(source: FigureSource, columnId: string, rows: Exhibit['rows']): BarGroups {
  const label = source.exhibit.columns.find(({ id }) => id === columnId)?.label ?? columnId;
  const ofPaper = source.paper.rows.filter(({ id }) => rows.some((row) => row.id === id));
  return {
    groups: rows.map((row) => row.label),
    groupsOfPaper: ofPaper.map((row) => row.label),
    series: [
      {
        label,
        position: 0,
        hue: 0,
        bars: rows.map(({ id }) => barAt(source, id, columnId)),
        reference: rows.map(({ id }) => paperAt(source, id, columnId)),
      },
    ],
  };
}

/** Groups of rows along x, and a colour per row label. */
function barsOfGroups(source: FigureSource, columnId: string, rows: Exhibit['rows']): BarGroups {
  const ofPaper = source.paper.rows;
  const groups = unique(rows.map(({ group }) => group));
  const labels = unique(rows.map(({ label }) => label));
  const rowAt = (group: string, label: string): string | null =>
    rows.find((row) => row.group === group && row.label === label)?.id ?? null;
  const paperName = (label: string): string =>
    ofPaper.find(({ id }) => id === rows.find((row) => row.label === label)?.id)?.label ?? label;
  return {
    groups,
    groupsOfPaper: unique(rows.map(({ id, group }) => ofPaper.find((row) => row.id === id)?.group ?? group)),
    series: labels.map((label, position) => ({
      label,
      ofPaper: paperName(label),
      position,
      hue: position,
      bars: groups.map((group) => {
        const row = rowAt(group, label);
        return row === null ? null : barAt(source, row, columnId);
      }),
      reference: groups.map((group) => {
        const row = rowAt(group, label);
        return row === null ? null : paperAt(source, row, columnId);
      }),
    })),
  };
}

/**
 * The figures of a column: one of all groups, or one per group if there are more labels than distinguishable colours.
 * `part`: the group's number and name, and the same with the models that others stand for, which the picture names.
 */
function barsByGroup(
  source: FigureSource,
  columnId: string,
): (BarGroups & { readonly part: readonly [number, string, string] | null })[] {
  const { rows: all, cells } = source.exhibit;
  const rows = all.filter(({ id }) => cells.some(({ row, column }) => row === id && column === columnId));
  const groups = unique(rows.map(({ group }) => group));
  if (groups.length === 1 && groups[0] === '') return [{ ...barsOfRows(source, columnId, rows), part: null }];
  const together = barsOfGroups(source, columnId, rows);
  if (together.series.length <= MAX_SERIES) return [{ ...together, part: null }];
  return groups.map((group, at) => {
    const own = rows.filter((row) => row.group === group);
    const ofPaper = source.paper.rows.find(({ id }) => id === own[0]?.id)?.group ?? group;
    const inFull = standInTextInFull(source.paper, source.result.scale, ofPaper);
    return { ...barsOfRows(source, columnId, own), part: [at + 1, group, inFull] };
  });
}

function barFigures(source: FigureSource): ReportFigure[] {
  const { exhibit, result } = source;
  const [first] = exhibit.cells;
  if (first === undefined) return [];
  const seeds = result.cells.flatMap(({ ours }) => ours?.seeds ?? []);
  const isSeveral = Math.max(...seeds) > 1;
  const limits = [...figureLimits(result.sentences), ...figureCautions(result, result.cells)];
  const methods = [...new Set(result.cells.flatMap(({ test }) => test?.against ?? []))];
  const against = methods.length === 0 ? '' : ` (each against "${methods.join('" or "')}")`;
  const shared = {
    kind: 'bars' as const,
    title: layoutTitle(exhibit),
    scale: scaleOf(result),
    legend: [
      ...(seeds.length === 0
        ? []
        : [
            `${isSeveral ? `Bars: means over the seeds. ${SEED_MEANING}. ` : ''}Whiskers: 95 % bootstrap intervals over ${resampledOver(isSeveral)}. Differences are not tested here, but in the table${result.reproductionId === null ? ' "exhibit"' : `s "exhibit"${against} and "pairs" (of whole runs)`}.`,
          ]),
      ...methodsIn([...exhibit.rows, ...exhibit.columns].flatMap(({ label, group }) => [label, group])),
      ...trainingNote(source),
    ],
    notes: result.sentences,
    method: result.method,
    complete: result.complete,
  };
  const legendOf = (head: readonly string[], measure: ExhibitMeasure, { series }: BarGroups): string[] => {
    const shown = series.flatMap(({ reference }) => reference.flatMap((value) => value ?? []));
    const samples = tokensNote(source, '', [measure]);
    return [...limits, ...head, ...shared.legend, ...samples, ...paperLegend(exhibit, result.scale, shown)];
  };
  const axis = (label: string, measure: ExhibitMeasure): Bars['y'] => {
    const unit: FigureUnit = unitOf(measure).kind === 'rate' ? 'rate' : 'number';
    return { label: `${label}${unit === 'rate' ? ' (%)' : ''}, ${scaleOf(result)}`, unit };
  };
  const measureName = ({ measure }: { measure: ExhibitMeasure }): string =>
    measure.kind === 'metric'
      ? measure.metric.replace('pass', 'Pass').replace('mcts', 'MCTS')
      : measure.measure;
  const byRow = barsByRow(source);
  const figures: Bars[] = exhibit.cells.every(({ measure }) => sameMeasure(measure, first.measure))
    ? [
        {
          ...shared,
          id: 'bars',
          legend: legendOf([meaningText(measureName(first), first.measure)], first.measure, byRow),
          y: axis(measureName(first), first.measure),
          ...byRow,
        },
      ]
    : exhibit.columns.flatMap(({ id, label }) => {
        const cell = exhibit.cells.find((cell) => cell.column === id) ?? first;
        return barsByGroup(source, id).map(({ part, ...bars }) => ({
          ...shared,
          id: `bars-${id}${part === null ? '' : `-${part[0]}`}`,
          legend: legendOf(
            [...(part === null ? [] : [`Rows: ${part[2]}.`]), meaningText(label, cell.measure)],
            cell.measure,
            bars,
          ),
          title: `${layoutTitle(exhibit)}: ${label}${part === null ? '' : `, ${part[1]}`}`,
          y: axis(label, cell.measure),
          ...bars,
        }));
      });
  return figures.filter(
    ({ groups, series }) =>
      groups.length <= MAX_GROUPS && series.length <= MAX_SERIES && (groups.length > 1 || series.length > 1),
  );
}

/** An exhibit's line and bar figures; the first one is the default. */
export function exhibitFigures(given: Omit<FigureSource, 'paper'>): ReportFigure[] {
  const { exhibit, result } = given;
  const source = { ...given, exhibit: exhibitAtScale(exhibit, result.scale), paper: exhibit };
  return [...lineFigures(source), ...barFigures(source)];
}
