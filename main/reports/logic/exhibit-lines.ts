import type { ExhibitSeries } from '../../../preload/contract/index';
import { paperPoints } from '../../../preload/contract/plans/index';
import { type FigureSource, meaningText, paperLegend, scaleOf } from './exhibit-legend';
import { type ExhibitSource, layoutTitle } from './exhibit-tables';
import { methodsIn } from './method-notes';
import { figureLimits, ONE_SEED_IS } from './reading';
import type { ReportFigure } from './report-figure';

/** A range that spans more than this reads better on a log axis. */
const WIDE_RANGE = 8;

function seriesAxis({ curve }: ExhibitSeries): { readonly x: string; readonly y: string } {
  if (curve.kind === 'nodes') {
    const name = curve.measure.replace('pass', 'Pass').replace('mcts', 'MCTS').replace('@n', '@N');
    return { x: 'First nodes of each tree', y: name };
  }
  return {
    x: curve.x === 'updates' ? 'Updates' : 'Samples',
    y: `${curve.key.replace('pass', 'Pass')} on held-out problems`,
  };
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
    ofPaper: label,
    position: series.length + at,
    hue: series.length + at,
    points: [],
    reference: reference.map(({ x, y, source }) => ({ x, y: y / 100, source })),
  }));
}

/** Series that share their axes are one figure. */
export function lineFigures({ exhibit, paper, result, hues, seeds }: FigureSource): ReportFigure[] {
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
      ofPaper: paper.series.find(({ id }) => id === point.id)?.label ?? point.label,
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
          ...figureLimits(result.sentences),
          ...(first.curve.kind === 'nodes'
            ? [meaningText(y, { kind: 'metric', metric: first.curve.measure })]
            : []),
          ...(seeds.length > 1
            ? [
                `Lines: means over the seeds, ${first.curve.kind === 'nodes' ? ONE_SEED_IS : 'of which each is one training'}.`,
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
        y: { label: `${y} (%), ${scaleOf(result)}`, unit: 'rate' },
        series,
      },
    ];
  });
}
