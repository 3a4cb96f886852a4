import type { Exhibit, ExhibitMeasure, ExhibitReference } from '../../../preload/contract/index';
import { exhibitAtScale } from '../../../preload/contract/plans/index';
import { type FigureSource, meaningText, paperLegend, scaleOf } from './exhibit-legend';
import { lineFigures } from './exhibit-lines';
import { tokensNote } from './exhibit-notes';
import { type ExhibitSource, layoutTitle, unitOf } from './exhibit-tables';
import { methodsIn } from './method-notes';
import { figureLimits, ONE_SEED_IS } from './reading';
import type { FigureUnit, ReportFigure } from './report-figure';

type Bars = Extract<ReportFigure, { kind: 'bars' }>;

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
function barsByRow(
  source: FigureSource,
): Omit<Bars, 'kind' | 'id' | 'title' | 'scale' | 'legend' | 'notes' | 'method' | 'complete' | 'y'> {
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

/** One figure per column: groups of rows along x, and a colour per row label. Without groups, the rows are along x. */
function barsByGroup(
  source: FigureSource,
  columnId: string,
): Pick<Bars, 'groups' | 'groupsOfPaper' | 'series'> {
  const { rows } = source.exhibit;
  const { rows: ofPaper } = source.paper;
  const groups = unique(rows.map(({ group }) => group));
  if (groups.length === 1 && groups[0] === '') {
    const label = source.exhibit.columns.find(({ id }) => id === columnId)?.label ?? columnId;
    const bars = rows.map(({ id }) => barAt(source, id, columnId));
    const reference = rows.map(({ id }) => paperAt(source, id, columnId));
    return {
      groups: rows.map((row) => row.label),
      groupsOfPaper: ofPaper.map((row) => row.label),
      series: [{ label, position: 0, hue: 0, bars, reference }],
    };
  }
  const labels = unique(rows.map(({ label }) => label));
  const rowAt = (group: string, label: string): string | null =>
    rows.find((row) => row.group === group && row.label === label)?.id ?? null;
  return {
    groups,
    groupsOfPaper: unique(ofPaper.map(({ group }) => group)),
    series: labels.map((label, position) => ({
      label,
      ofPaper: ofPaper[rows.findIndex((row) => row.label === label)]?.label ?? label,
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

function barFigures(source: FigureSource): ReportFigure[] {
  const { exhibit, result } = source;
  const [first] = exhibit.cells;
  if (first === undefined) return [];
  const seeds = result.cells.flatMap(({ ours }) => ours?.seeds ?? []);
  const limits = figureLimits(result.sentences);
  const shared = {
    kind: 'bars' as const,
    title: layoutTitle(exhibit),
    scale: scaleOf(result),
    legend: [
      ...(seeds.length === 0
        ? []
        : [
            `${Math.max(...seeds) > 1 ? `Bars: means over the seeds, ${ONE_SEED_IS}. ` : ''}Whiskers: 95 % bootstrap intervals over ${Math.max(...seeds) > 1 ? 'problems and seeds' : 'problems'}; tests: table "exhibit".`,
          ]),
      ...tokensNote(source),
      ...methodsIn([...exhibit.rows, ...exhibit.columns].flatMap(({ label, group }) => [label, group])),
      ...paperLegend(
        exhibit,
        result.scale,
        exhibit.cells.flatMap(({ reference }) => reference),
      ),
    ],
    notes: result.sentences,
    method: result.method,
    complete: result.complete,
  };
  const axis = (label: string, measure: ExhibitMeasure): Bars['y'] => {
    const unit: FigureUnit = unitOf(measure).kind === 'rate' ? 'rate' : 'number';
    return { label: `${label}${unit === 'rate' ? ' (%)' : ''}, ${scaleOf(result)}`, unit };
  };
  const measureName = ({ measure }: { measure: ExhibitMeasure }): string =>
    measure.kind === 'metric'
      ? measure.metric.replace('pass', 'Pass').replace('mcts', 'MCTS')
      : measure.measure;
  const figures: Bars[] = exhibit.cells.every(({ measure }) => sameMeasure(measure, first.measure))
    ? [
        {
          ...shared,
          id: 'bars',
          legend: [...limits, meaningText(measureName(first), first.measure), ...shared.legend],
          y: axis(measureName(first), first.measure),
          ...barsByRow(source),
        },
      ]
    : exhibit.columns.map(({ id, label }) => {
        const cell = exhibit.cells.find((cell) => cell.column === id) ?? first;
        return {
          ...shared,
          id: `bars-${id}`,
          legend: [...limits, meaningText(label, cell.measure), ...shared.legend],
          title: `${layoutTitle(exhibit)}: ${label}`,
          y: axis(label, cell.measure),
          ...barsByGroup(source, id),
        };
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
