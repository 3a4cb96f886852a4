import type {
  ExhibitMeasure,
  ExhibitReference,
  ExhibitResult,
  ExhibitSeries,
  Scale,
} from '../../../preload/contract/index';
import { exhibitAtScale, paperPoints, standInSentence } from '../../../preload/contract/plans/index';
import { type ExhibitSource, layoutTitle, unitOf } from './exhibit-tables';
import { measureMeaning, paperBasis } from './reading';
import type { FigureUnit, ReportFigure } from './report-figure';

type FigureSource = ExhibitSource & {
  /** Colours of its lines, one per series. */
  readonly hues: readonly number[];
};
type Bars = Extract<ReportFigure, { kind: 'bars' }>;

/** With more bars than this a table is easier to read. */
const MOST_GROUPS = 12;
const MOST_SERIES = 8;
/** A range that spans more than this reads better on a log axis. */
const WIDE_RANGE = 8;

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
  source: ExhibitSource,
): Omit<Bars, 'kind' | 'id' | 'title' | 'scale' | 'legend' | 'notes' | 'method' | 'complete' | 'y'> {
  const { rows, columns } = source.exhibit;
  const repeats = unique(rows.map(({ label }) => label)).length < rows.length;
  return {
    groups: rows.map(({ label, group }) =>
      repeats && group !== '' ? `${label} (${group.split(':')[0]})` : label,
    ),
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
function barsByGroup(source: ExhibitSource, columnId: string): Pick<Bars, 'groups' | 'series'> {
  const { rows } = source.exhibit;
  const groups = unique(rows.map(({ group }) => group));
  if (groups.length === 1 && groups[0] === '') {
    const label = source.exhibit.columns.find(({ id }) => id === columnId)?.label ?? columnId;
    const bars = rows.map(({ id }) => barAt(source, id, columnId));
    const reference = rows.map(({ id }) => paperAt(source, id, columnId));
    return {
      groups: rows.map((row) => row.label),
      series: [{ label, position: 0, hue: 0, bars, reference }],
    };
  }
  const labels = unique(rows.map(({ label }) => label));
  const rowAt = (group: string, label: string): string | null =>
    rows.find((row) => row.group === group && row.label === label)?.id ?? null;
  return {
    groups,
    series: labels.map((label, position) => ({
      label,
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

/** "Pass@N: share of the problems ...". */
function meaningText(label: string, measure: ExhibitMeasure): string {
  return `${label}: ${measureMeaning(measure)}.`;
}

/** Of runs at hand the scale of one that is not the paper's, if there is one. */
function scaleOf({ scale, cells }: ExhibitSource['result']): Scale {
  if (scale !== 'own') return scale;
  const scales = cells.flatMap(({ atHand }) => atHand?.scale ?? []);
  return [...scales.filter((one) => one !== 'paper'), ...scales, scale][0] ?? scale;
}

function barFigures(source: ExhibitSource): ReportFigure[] {
  const { exhibit, result } = source;
  const [first] = exhibit.cells;
  if (first === undefined) return [];
  const seeds = result.cells.flatMap(({ ours }) => ours?.seeds ?? []);
  const shared = {
    kind: 'bars' as const,
    title: layoutTitle(exhibit),
    scale: scaleOf(result),
    legend: [
      ...(seeds.length === 0
        ? []
        : [
            `Whiskers: 95 % bootstrap intervals over ${Math.max(...seeds) > 1 ? 'problems and seeds' : 'problems'}.`,
          ]),
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
          legend: [meaningText(measureName(first), first.measure), ...shared.legend],
          y: axis(measureName(first), first.measure),
          ...barsByRow(source),
        },
      ]
    : exhibit.columns.map(({ id, label }) => {
        const cell = exhibit.cells.find((cell) => cell.column === id) ?? first;
        return {
          ...shared,
          id: `bars-${id}`,
          legend: [meaningText(label, cell.measure), ...shared.legend],
          title: `${layoutTitle(exhibit)}: ${label}`,
          y: axis(label, cell.measure),
          ...barsByGroup(source, id),
        };
      });
  return figures.filter(
    ({ groups, series }) =>
      groups.length <= MOST_GROUPS &&
      series.length <= MOST_SERIES &&
      (groups.length > 1 || series.length > 1),
  );
}

function seriesAxis({ curve }: ExhibitSeries): { readonly x: string; readonly y: string } {
  if (curve.kind === 'nodes') {
    const name = curve.measure.replace('pass', 'Pass').replace('mcts', 'MCTS').replace('@n', '@N');
    return { x: 'Nodes of a tree (N)', y: name };
  }
  return {
    x: curve.x === 'updates' ? 'Updates' : 'Samples',
    y: `${curve.key.replace('pass', 'Pass')} on held-out problems`,
  };
}

/** Where the paper's values in a figure were read, and on what it measured them. */
function paperLegend(
  exhibit: ExhibitSource['exhibit'],
  scale: ExhibitResult['scale'],
  references: readonly { readonly source: string }[],
): string[] {
  const sources = [...new Set(references.map(({ source }) => source))];
  if (sources.length === 0) return [];
  const basis = paperBasis(exhibit);
  const standIns = standInSentence(exhibit, scale);
  return [
    `Paper: ${sources.join('; ')}.${basis === '' ? '' : ` Measured there on ${basis}.`}`,
    ...(standIns === null ? [] : [`Not comparable with the paper's values. ${standIns}`]),
  ];
}

/** What the bands of a figure are; learning curves span their seeds, which is no interval. */
function bandNote(
  { curve }: ExhibitSeries,
  series: readonly { readonly points: readonly { readonly low: number; readonly high: number }[] }[],
  seeds: readonly number[],
): string[] {
  if (series.every(({ points }) => points.every(({ low, high }) => low === high))) return [];
  if (curve.kind !== 'nodes') return ['Bands: from the lowest to the highest seed.'];
  return [`Bands: 95 % bootstrap intervals over ${seeds.length > 1 ? 'problems and seeds' : 'problems'}.`];
}

/** Lines that only the paper's figure has. */
function paperOnly({ paperLines = [], series }: ExhibitSource['exhibit']) {
  return paperLines.map(({ label, reference }, at) => ({
    label: `${label} (paper)`,
    position: series.length + at,
    hue: series.length + at,
    points: [],
    reference: reference.map(({ x, y, source }) => ({ x, y: y / 100, source })),
  }));
}

/** Series that share their axes are one figure. */
function lineFigures({ exhibit, result, hues, seeds }: FigureSource): ReportFigure[] {
  const kinds = new Map<string, ExhibitSeries[]>();
  for (const series of exhibit.series) {
    const { x, y } = seriesAxis(series);
    kinds.set(`${x} ${y}`, [...(kinds.get(`${x} ${y}`) ?? []), series]);
  }
  return [...kinds.values()].flatMap((group, at): ReportFigure[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { x, y } = seriesAxis(first);
    const series = group.map((point) => ({
      label: point.label,
      position: exhibit.series.indexOf(point),
      hue: hues[exhibit.series.indexOf(point)] ?? 0,
      points: [...(result.series.find(({ id }) => id === point.id)?.points ?? [])],
      reference: paperPoints(point).map((at, index) => ({
        ...at,
        source: point.reference[index]?.source ?? '',
      })),
    }));
    if (at === 0) series.push(...paperOnly(exhibit));
    const xs = series.flatMap(({ points, reference }) => [...points, ...reference].map((point) => point.x));
    const isWide = xs.length > 0 && Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= WIDE_RANGE;
    const isLog = first.curve.kind === 'nodes' && isWide;
    return [
      {
        kind: 'lines',
        id: kinds.size === 1 ? 'curves' : `curves-${at + 1}`,
        title: layoutTitle(exhibit),
        scale: scaleOf(result),
        legend: [
          ...(first.curve.kind === 'nodes'
            ? [meaningText(y, { kind: 'metric', metric: first.curve.measure })]
            : []),
          ...bandNote(first, series, seeds),
          ...paperLegend(
            exhibit,
            result.scale,
            series.flatMap(({ reference }) => reference),
          ),
        ],
        notes: result.sentences,
        method: result.method,
        complete: result.complete,
        x: { label: `${x}${isLog ? ', log scale' : ''}`, scale: isLog ? 'log' : 'linear' },
        y: { label: `${y} (%), ${scaleOf(result)}`, unit: 'rate' },
        series,
      },
    ];
  });
}

/** An exhibit's line and bar figures; the first one is the default. */
export function exhibitFigures(paper: FigureSource): ReportFigure[] {
  const source = { ...paper, exhibit: exhibitAtScale(paper.exhibit, paper.result.scale) };
  return [...lineFigures(source), ...barFigures(source)];
}
