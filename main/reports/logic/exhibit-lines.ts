import type { AtHand, ExhibitSeries, FilledSeries } from '../../../preload/contract/index';
import {
  ALL_LINES_OURS,
  chartsOf,
  evaluatedOn,
  type LineFigure,
  lineFiguresOf,
  paperLineName,
  paperPoints,
} from '../../../preload/contract/plans/index';
import { type FigureSource, meaningText, paperLegend, scaleOf } from './exhibit-legend';
import { figureCautions } from './exhibit-notes';
import { type ExhibitSource, layoutTitle } from './exhibit-tables';
import { methodsIn } from './method-notes';
import { basisOf, figureLimits, resampledOver, SEED_MEANING } from './reading';
import type { ReportFigure } from './report-figure';
import { plainEstimate } from './report-table';

/** A range that spans more than this reads better on a log axis. */
const WIDE_RANGE = 8;

const measureName = (measure: string): string =>
  measure.replace('pass', 'Pass').replace('mcts', 'MCTS').replace('@n', '@N');

function seriesAxis({ curve }: ExhibitSeries): { readonly x: string; readonly y: string } {
  if (curve.kind === 'nodes') return { x: 'First nodes of each tree', y: measureName(curve.measure) };
  return {
    x: curve.x === 'updates' ? 'Updates' : 'Samples',
    y: `${measureName(curve.key)} on held-out problems`,
  };
}

/** What the bands of a figure are; learning curves span their seeds, which is no interval. */
function bandNote(
  { curve }: ExhibitSeries,
  series: readonly { readonly points: readonly { readonly low: number; readonly high: number }[] }[],
  seeds: number,
): string[] {
  if (series.every(({ points }) => points.every(({ low, high }) => low === high))) return [];
  if (curve.kind !== 'nodes') return ['Bands: from the lowest to the highest seed.'];
  return [`Bands: 95 % bootstrap intervals over ${resampledOver(seeds > 1)}.`];
}

/** Lines that only the paper's figure has, behind ours. */
function paperOnlyLines(
  { paperLines = [] }: ExhibitSource['exhibit'],
  hues: FigureSource['hues'],
  ours: number,
) {
  return paperLines.map(({ label, reference }, at) => ({
    label: paperLineName(label),
    ofPaper: label,
    position: ours + at,
    hue: hues.get(paperLineName(label)) ?? 0,
    points: [],
    reference: reference.map(({ x, y, source }) => ({ x, y: y / 100, source })),
  }));
}

/** What the names of its lines do not say: that none is the paper's, and what has no tree. */
function linesNote({ configurations }: ExhibitSource['exhibit'], lines: readonly ExhibitSeries[]): string[] {
  const limited = configurations.filter(({ tokensOf }) => tokensOf !== undefined).map(({ id }) => id);
  const samples = lines.filter(({ configuration }) => limited.includes(configuration));
  return [
    ...(lines.every(({ ours }) => ours === true) ? [ALL_LINES_OURS] : []),
    ...samples.map(
      ({ label }) =>
        `"${label}": no tree, but over its first programs, which end where they have spent the tokens of the tree of the same problem and seed.`,
    ),
  ];
}

function atHandOf(line: FilledSeries | undefined): { readonly atHand?: AtHand } {
  return line?.atHand === undefined ? {} : { atHand: line.atHand };
}

type Chart = {
  readonly id: string;
  /** Behind the exhibit's title; the axes' names: where it has several figures. */
  readonly more: string;
  readonly figure: LineFigure;
  readonly lines: readonly ExhibitSeries[];
};

/** Series that share their axes are one figure; controls that it cannot hold are a second one. */
function chartsIn(exhibit: ExhibitSource['exhibit']): Chart[] {
  const figures = lineFiguresOf(exhibit);
  return figures.flatMap((figure) => {
    const isOne = figures.length === 1;
    const id = isOne ? 'curves' : `curves-${figure.id}`;
    const more = isOne ? '' : `: ${measureName(figure.measure)} over ${figure.over}`;
    return chartsOf(figure.lines).map((lines, part) =>
      part === 0
        ? { id, more, figure, lines }
        : { id: `${id}-controls`, more: `${more === '' ? ': ' : `${more}, `}controls`, figure, lines },
    );
  });
}

/** For lines over runs or trainings at hand: on what each was evaluated and over which seeds, as tables say it. */
function basisAtHand(lines: readonly { readonly label: string; readonly atHand?: AtHand }[]): string {
  const known = lines.flatMap(({ label, atHand }) => (atHand === undefined ? [] : [{ label, ...atHand }]));
  const count = { value: 0, low: 0, high: 0 };
  return basisOf({
    ...{ id: '', title: '', rowTitle: '', columns: [], notes: [], method: '', complete: true },
    benchmark: [...new Set(known.flatMap(({ benchmarks }) => benchmarks))].join(' and '),
    rows: known.map(({ label, seeds, scale, problems = 0, searches = [] }) => ({
      ...{ label, group: '', seeds, scale },
      ...(searches.length === 1 ? { nodes: searches[0]?.nodes ?? null } : {}),
      cells: [plainEstimate({ ...count, problems, seeds: seeds.length })],
    })),
  });
}

/**
 * What the policies of pocket learning curves are evaluated on while they learn; null: its lines are no such curves.
 */
function evaluationOf({ exhibit, result, seeds }: ExhibitSource, { curve }: ExhibitSeries) {
  const { pocket } = exhibit.scales;
  if (curve.kind === 'nodes' || result.scale !== 'pocket' || pocket === null) return null;
  const { benchmark, problems, samples } = evaluatedOn({ training: pocket.training });
  return {
    atHand: { ...{ scale: result.scale, models: [], problems }, seeds: [...seeds], benchmarks: [benchmark] },
    note: `Pass@1: mean over the problems of the share of ${samples} independent first attempts that pass the private tests.`,
  };
}

/** Which trainings each line over trainings at hand is of. */
function trainingsNote(
  lines: readonly { readonly label: string; readonly atHand?: AtHand }[],
): readonly string[] {
  return lines.flatMap(({ label, atHand }) => {
    const named = atHand?.trainings?.map(
      ({ name, seed }) => `"${name}"${seed === null ? '' : ` (seed ${seed})`}`,
    );
    return named === undefined
      ? []
      : [`${label}: ${named.length === 1 ? 'training' : 'trainings'} ${named.join(', ')}.`];
  });
}

export function lineFigures(source: FigureSource): ReportFigure[] {
  const { exhibit, paper, result, hues } = source;
  return chartsIn(exhibit).flatMap(({ id, more, figure, lines: group }, at): ReportFigure[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { x, y } = seriesAxis(first);
    const evaluation = evaluationOf(source, first);
    const filled = result.series.filter((line) => group.some((one) => one.id === line.id));
    const trained = filled.filter(({ atHand }) => atHand?.trainings !== undefined);
    const isTrained = trained.length > 0;
    const scale = isTrained ? scaleOf({ ...result, cells: [], series: filled }) : scaleOf(result);
    // With trainings at hand, each line has its own.
    const most = Math.max(...trained.map(({ trainingIds }) => trainingIds.length));
    const seeds = isTrained ? most : source.seeds.length;
    const series = group.map((point) => ({
      label: point.label,
      ofPaper: paper.series.find(({ id }) => id === point.id)?.label ?? point.label,
      position: figure.lines.indexOf(point),
      hue: hues.get(point.id) ?? 0,
      points: [...(filled.find(({ id }) => id === point.id)?.points ?? [])],
      ...atHandOf(filled.find(({ id }) => id === point.id)),
      reference: paperPoints(point).map((at, index) => ({
        ...at,
        source: point.reference[index]?.source ?? '',
      })),
    }));
    if (at === 0) series.push(...paperOnlyLines(exhibit, hues, figure.lines.length));
    const xs = series.flatMap(({ points, reference }) => [...points, ...reference].map((point) => point.x));
    const isWide = xs.length > 0 && Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= WIDE_RANGE;
    const isLog = first.curve.kind === 'nodes' && isWide;
    return [
      {
        kind: 'lines',
        id,
        title: `${layoutTitle(exhibit)}${more}`,
        scale,
        ...(series.some(({ atHand }) => atHand !== undefined)
          ? { basis: basisAtHand(series) }
          : evaluation !== null && { basis: basisAtHand([{ label: '', atHand: evaluation.atHand }]) }),
        legend: [
          ...figureLimits(result.sentences),
          ...figureCautions(result, filled),
          ...linesNote(exhibit, group),
          ...(first.curve.kind === 'nodes'
            ? [meaningText(y, { kind: 'metric', metric: first.curve.measure })]
            : []),
          ...(evaluation === null || isTrained ? [] : [evaluation.note]),
          ...trainingsNote(series),
          ...(isTrained && seeds === 1 ? ['One seed: the chance of training is not shown.'] : []),
          ...(seeds > 1
            ? [
                `Lines: means over the seeds${first.curve.kind === 'nodes' ? `. ${SEED_MEANING}` : ', of which each is one training'}.`,
              ]
            : []),
          ...bandNote(first, series, seeds),
          ...methodsIn(series.map(({ label }) => label)),
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
        y: { label: `${y} (%), ${scale}`, unit: 'rate' },
        series,
      },
    ];
  });
}
