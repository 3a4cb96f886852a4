import type { Curve, RunComparison, Scale } from '../../../preload/contract/index';
import { counted } from '../../base/index';
import { methodsIn } from './method-notes';
import { figureLimits, metricMeaning, resampledOver, SEED_MEANING } from './reading';
import type { ReportFigure } from './report-figure';
import { looksNote, measuredMetrics, metricCell } from './results-table';
import { searchNotes, teamNotes } from './search-notes';

const MEASURES: Readonly<Record<Curve['measure'], string>> = {
  'pass@n': 'Pass@N',
  'pass@n(public)': 'Pass@N (public tests)',
  'pass@1(mcts)': 'Pass@1(MCTS)',
  'pass@k': 'Pass@k',
};
const AXES: Readonly<Record<Curve['axis'], string>> = {
  nodes: 'nodes',
  tokens: 'tokens',
  seconds: 'seconds',
  'gpu-hours': 'GPU-hours',
  money: 'money',
};
/** A range that spans more than this reads better on a log axis. */
const WIDE_RANGE = 8;

const WEAKEST_FIRST: readonly Scale[] = ['pocket', 'recorded', 'own', 'desk'];

/** The scale, or the weakest of several. */
function scaleOf({ analysis }: Pick<RunComparison, 'analysis'>): Scale {
  const scales = new Set(analysis.rows.map(({ scale }) => scale));
  return WEAKEST_FIRST.find((scale) => scales.has(scale)) ?? 'paper';
}

function xLabel({ measure, axis }: Curve, currency: string): string {
  switch (axis) {
    case 'nodes':
      return measure === 'pass@k' ? 'Independent samples (k)' : 'First nodes of each tree';
    case 'tokens':
      return 'Tokens of a tree';
    case 'seconds':
      return 'Seconds of writing and grading of a tree';
    case 'gpu-hours':
      return 'GPU-hours of a tree';
    case 'money':
      return `Price of a tree${currency === '' ? '' : ` (${currency})`}`;
  }
}

/** Over what the intervals of values, and of curves over nodes, are. */
function overOf({ rows }: RunComparison['analysis']): string {
  return resampledOver(rows.some(({ seeds }) => seeds.length > 1));
}

/** What is drawn of several seeds. */
function meansOf({ rows }: RunComparison['analysis'], drawn: string): string {
  return rows.some(({ seeds }) => seeds.length > 1)
    ? `${drawn}: means over the seeds. ${SEED_MEANING}. `
    : '';
}

/** What the methods are that its lines name. */
function methodsOf({ rows }: RunComparison['analysis']): string[] {
  return methodsIn(rows.map(({ configuration }) => configuration));
}

/** A configuration's position in the figures, and its colour. */
function seriesStyleOf({ configurations, hues }: RunComparison, configuration: string) {
  const position = configurations.indexOf(configuration);
  return { position, hue: hues[position] ?? 0 };
}

/** A name for files and URLs. */
const plainId = (label: string): string => label.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '');

function curveFigures(comparison: RunComparison): ReportFigure[] {
  const { analysis } = comparison;
  const scale = scaleOf(comparison);
  const currency = analysis.costs.find(({ money }) => money)?.money?.currency ?? '';
  const kinds = new Map<string, Curve[]>();
  for (const curve of analysis.curves) {
    if (curve.points.length === 0) continue;
    const id = plainId(`${curve.measure} ${curve.axis}`);
    const kind = kinds.get(id);
    if (kind === undefined) kinds.set(id, [curve]);
    else kind.push(curve);
  }
  return [...kinds].flatMap(([id, curves]): ReportFigure[] => {
    const [first] = curves;
    if (first === undefined) return [];
    const xs = curves.flatMap(({ points }) => points.map(({ n }) => n));
    const isWide = Math.max(...xs) / Math.min(...xs) >= WIDE_RANGE;
    return [
      {
        kind: 'lines',
        id,
        title: `${MEASURES[first.measure]} over ${first.measure === 'pass@k' ? 'samples' : AXES[first.axis]}`,
        scale,
        legend: [
          ...figureLimits(analysis.sentences),
          ...(first.measure === 'pass@k'
            ? []
            : [`${MEASURES[first.measure]}: ${metricMeaning(first.measure)}.`]),
          ...(first.axis === 'nodes' && first.measure !== 'pass@k'
            ? ['At fewer nodes: of the same trees, as if they ended there.']
            : []),
          `${meansOf(analysis, 'Lines')}Bands: 95 % bootstrap intervals over ${first.axis === 'nodes' ? overOf(analysis) : 'problems'}. Differences are not tested here.`,
          ...methodsOf(analysis),
          ...looksNote(analysis),
        ],
        notes: [],
        method: analysis.method,
        complete: analysis.complete,
        x: {
          label: `${xLabel(first, currency)}${isWide ? ', log scale' : ''}`,
          scale: isWide ? 'log' : 'linear',
        },
        y: { label: `${MEASURES[first.measure]} (%), ${scale}`, unit: 'rate' },
        series: curves.map(({ configuration, points }) => ({
          label: configuration,
          ...seriesStyleOf(comparison, configuration),
          points: points.map(({ n, value, low, high }) => ({ x: n, y: value, low, high })),
          reference: [],
        })),
      },
    ];
  });
}

function resultBars(comparison: RunComparison): ReportFigure {
  const { analysis } = comparison;
  const scale = scaleOf(comparison);
  const metrics = measuredMetrics(analysis);
  return {
    kind: 'bars',
    id: 'results-bars',
    title: 'Results by configuration',
    scale,
    legend: [
      ...figureLimits(analysis.sentences),
      ...metrics.map(({ name, label }) => `${label}: ${metricMeaning(name)}.`),
      `${meansOf(analysis, 'Bars')}Whiskers: 95 % bootstrap intervals over ${overOf(analysis)}. Differences are not tested here, but in the table "pairs".`,
      ...methodsOf(analysis),
      ...looksNote(analysis),
    ],
    notes: [],
    method: analysis.method,
    complete: analysis.complete,
    y: { label: `Problems (%), ${scale}`, unit: 'rate' },
    groups: metrics.map(({ label }) => label),
    series: analysis.rows.map((row) => ({
      label: row.configuration,
      ...seriesStyleOf(comparison, row.configuration),
      bars: metrics.map(({ name }) => {
        const cell = metricCell(row, name);
        return cell === null ? null : { y: cell.value, low: cell.low, high: cell.high };
      }),
      reference: metrics.map(() => null),
    })),
  };
}

function solveGrid(comparison: RunComparison): ReportFigure {
  const { analysis, solves } = comparison;
  const share = (cells: (typeof solves.problems)[number]['cells']): number => {
    const values = cells.flatMap((cell) => (cell === null ? [] : [cell.solved01]));
    return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  // Stable: problems that are equally easy keep their order, whatever the rounding of their means.
  const ease = (cells: (typeof solves.problems)[number]['cells']): number => Math.round(share(cells) * 1e9);
  const problems = [...solves.problems].sort((a, b) => ease(b.cells) - ease(a.cells));
  const scale = scaleOf(comparison);
  return {
    kind: 'grid',
    id: 'solves-grid',
    title: 'Who solves what',
    scale,
    legend: [
      ...figureLimits(analysis.sentences),
      `Height of a bar: share of the seeds whose answer to the problem (the program chosen by the public tests) passes the private tests; grey without a bar: no seed${problems.some(({ cells }) => cells.includes(null)) ? '; hollow: not searched' : ''}. Easiest: the largest mean share over the configurations, of equal ones the first of the benchmark. Ids: solves-grid.csv. Differences are not tested here. ${SEED_MEANING}.`,
      ...methodsOf(analysis),
    ],
    notes: [],
    method: analysis.method,
    complete: analysis.complete,
    x: `${counted(problems.length, 'problem')}, the easiest first (${scale} scale)`,
    problems: problems.map(({ problemId }) => problemId),
    rows: solves.configurations.map((label, at) => ({
      label,
      ...seriesStyleOf(comparison, label),
      shares: problems.map(({ cells }) => cells[at]?.solved01 ?? null),
    })),
  };
}

/** Every figure of a comparison; the first one is the default. */
export function comparisonFigures(comparison: RunComparison): ReportFigure[] {
  const figures = [...curveFigures(comparison), resultBars(comparison)];
  if (comparison.solves.problems.length > 0) figures.push(solveGrid(comparison));
  const [search, team] = [searchNotes(comparison), teamNotes(comparison)];
  return figures.map((figure) => {
    // Independent samples are not searched.
    const who = figure.id.startsWith('pass-k-') ? team : [...search, ...team];
    return { ...figure, legend: [...who, ...figure.legend] };
  });
}
