import type { Exhibit, ExhibitCell, ExhibitResult, FilledCell, MetricName } from '../../../preload/contract';
import {
  ALIKE_NOTE,
  cellKey,
  exhibitAtScale,
  hasWidth,
  ODDS_NOTE,
  SIGNIFICANCE_LEVEL,
} from '../../../preload/contract/plans';
import { counted } from '../../base';
import { BOOTSTRAP_SEED, Bootstrap } from '../bootstrap';
import { METRIC_TITLES } from '../comparison-sentences';
import { type Conclusion, limit } from '../conclusion';
import { DIFFERENCES, withExactEnds } from '../exact-rates';
import { oddsRatioOf } from '../odds-ratio';
import { type Intervals, ratesP } from '../paired-difference';
import { holm } from '../paired-tests';
import { seedsP, trainingsP } from '../seeds-test';
import { knownMean, problemMeans, TwoLevelBootstrap } from '../two-level-bootstrap';
import { basisConclusion, type Difference, differenceText, foundText } from './difference-texts';
import { configsOf, type MeasuredSeeds } from './exhibit-input';
import { haveSameTests } from './tests-caution';

const RESAMPLES = 2_000;
/** The metric whose differences are listed: the papers' main one, else the first that the exhibit has. */
const MAIN: MetricName = 'pass@1(mcts)';

/** Cells of one metric that a reader compares: the rows of a group, or the columns of a row. */
type ComparedLines = {
  readonly title: string;
  readonly lines: readonly {
    readonly label: string;
    readonly ours: boolean;
    readonly cell: ExhibitCell;
  }[];
};

/** How lines differ, and the cells for which that was tested. */
export type LineDifferences = {
  readonly conclusions: readonly Conclusion[];
  /** By `cellKey`. */
  readonly tests: ReadonlyMap<string, NonNullable<FilledCell['test']>>;
};

/**
 * The differences between the paper's last method of each group of lines and every other line, controls among them, with
 * what their seeds can show. Yields after every difference.
 */
export function* lineDifferences(
  written: Exhibit,
  scale: ExhibitResult['scale'],
  seedsOf: (configurationId: string) => MeasuredSeeds,
): Generator<void, LineDifferences> {
  const exhibit = exhibitAtScale(written, scale);
  const metrics = exhibit.cells.flatMap(({ measure }) => (measure.kind === 'metric' ? [measure.metric] : []));
  const metric = metrics.includes(MAIN) ? MAIN : metrics[0];
  if (metric === undefined) return { conclusions: [], tests: new Map() };
  const intervals: Intervals = {
    bootstrap: new Bootstrap(BOOTSTRAP_SEED, RESAMPLES),
    overSeeds: new TwoLevelBootstrap(BOOTSTRAP_SEED, RESAMPLES),
  };
  const groups: { title: string; method: string; differences: Difference[] }[] = [];
  for (const { title, lines } of comparedLines(exhibit, metric, seedsOf)) {
    const method = lines.findLast(({ ours }) => !ours);
    if (method === undefined) continue;
    const differences: Difference[] = [];
    for (const other of lines) {
      if (other === method) continue;
      const [first, second] = [method, other].map(({ cell }) => seedsOf(cell.configuration));
      if (!haveSameTests([...configsOf(first), ...configsOf(second)])) continue;
      const difference = yield* differenceOf(first ?? [], second ?? [], metric, other, intervals);
      if (difference !== null) differences.push(difference);
      yield;
    }
    if (differences.length > 0) groups.push({ title, method: method.label, differences });
  }
  const all = groups.flatMap(({ differences }) => differences);
  if (all.length === 0) return { conclusions: [], tests: new Map() };
  const tested = all.filter(({ test }) => test !== null);
  const corrected = new Map(holm(tested.map(({ test }) => test?.p ?? 1)).map((p, at) => [tested[at], p]));
  const conclusions = groups.map(({ title, method, differences }): Conclusion => {
    const where = `${METRIC_TITLES[metric]}${title === '' ? '' : `, ${title}`}: "${method}"`;
    const texts = differences.map(
      (line) => `minus "${line.other.label}" ${differenceText(line, corrected.get(line))}`,
    );
    return { ...foundText(where, differences, corrected), long: `${where} ${texts.join('; ')}.` };
  });
  return {
    conclusions: [
      ...conclusions,
      basisConclusion(all, [...corrected.values()], scale),
      limit(
        'Values whose intervals overlap may still differ significantly',
        'Each interval in the table is for one value: two values whose intervals overlap may still differ significantly.',
      ),
      limit('An odds ratio counts problems, not by how much they differ', ODDS_NOTE),
      ...(all.some(({ alike }) => alike)
        ? [limit('Where no problem differs, or all differ alike, the interval is an exact bound', ALIKE_NOTE)]
        : []),
    ],
    tests: new Map(
      groups.flatMap(({ method, differences }) =>
        differences.map((line) => {
          const pHolm = corrected.get(line);
          const { value: difference, low, high, test } = line;
          const found = {
            ...{ against: method, isSignificant: pHolm === undefined ? null : pHolm < SIGNIFICANCE_LEVEL },
            ...{ difference, low, high },
            ...(test === null || pHolm === undefined ? {} : { ...test, pHolm }),
          };
          return [cellKey(line.other.cell), found] as const;
        }),
      ),
    ),
  };
}

/**
 * Whether the lines of a row are methods, so that they are compared with each other: several configurations answer the
 * same benchmark there. Else the rows are methods, and the columns e.g. benchmarks.
 */
export function areColumnsMethods(
  cells: readonly ExhibitCell[],
  seedsOf: (configurationId: string) => MeasuredSeeds,
): boolean {
  return cells.some((one) =>
    cells.some(
      (other) =>
        one.row === other.row &&
        one.configuration !== other.configuration &&
        benchmarkOf(seedsOf(one.configuration)) === benchmarkOf(seedsOf(other.configuration)),
    ),
  );
}

/** undefined: nothing has run. */
export function benchmarkOf([first]: MeasuredSeeds): string | undefined {
  return first?.runs[0].config.benchmarkId;
}

function comparedLines(
  { rows, columns, cells }: Exhibit,
  metric: MetricName,
  seedsOf: (configurationId: string) => MeasuredSeeds,
): ComparedLines[] {
  const measured = cells.filter(({ measure }) => measure.kind === 'metric' && measure.metric === metric);
  const cellsIn = (row: string): ExhibitCell[] => measured.filter((cell) => cell.row === row);
  const rowName = ({ label, group }: Exhibit['rows'][number]): string =>
    group === '' ? label : `${group}, ${label}`;
  if (areColumnsMethods(measured, seedsOf)) {
    return rows.map((row) => ({
      title: rowName(row),
      lines: cellsIn(row.id).flatMap((cell) =>
        columns
          .filter(({ id }) => id === cell.column)
          .map(({ label, ours = false }) => ({ label, ours, cell })),
      ),
    }));
  }
  const shown = columns.filter(({ id }) => measured.some(({ column }) => column === id));
  return [...new Set(rows.map(({ group }) => group))].flatMap((group) =>
    shown.map((column) => ({
      title: [group, ...(shown.length > 1 ? [column.label] : [])].filter((part) => part !== '').join(', '),
      lines: rows
        .filter((row) => row.group === group)
        .flatMap(({ id, label, ours = false }) =>
          cellsIn(id).flatMap((cell) => (cell.column === column.id ? [{ label, ours, cell }] : [])),
        ),
    })),
  );
}

/** First minus second over the seeds and problems that both have; null: none. Yields while it draws. */
function* differenceOf(
  first: MeasuredSeeds,
  second: MeasuredSeeds,
  metric: MetricName,
  other: Difference['other'],
  { bootstrap, overSeeds }: Intervals,
): Generator<void, Difference | null> {
  const pairs = first.flatMap((own) => {
    const same = second.find(({ runs }) => runs[0].config.seed === own.runs[0].config.seed);
    return same === undefined ? [] : [[own.values[metric], same.values[metric]] as const];
  });
  const problems = [...(pairs[0]?.[0].keys() ?? [])].filter((id) =>
    pairs.every(([a, b]) => a.has(id) && b.has(id)),
  );
  if (pairs.length === 0 || problems.length === 0) return null;
  const rows = pairs.map(([a, b]) => problems.map((id) => (a.get(id) ?? 0) - (b.get(id) ?? 0)));
  const drawn = overSeeds.mean(rows);
  const byProblem = problemMeans(rows);
  const pSeeds = seedsP(rows.map(knownMean));
  const pProblems = pSeeds === null ? 1 : yield* ratesP(byProblem, bootstrap);
  const p = trainingsP(pProblems, pSeeds);
  return {
    other,
    ...withExactEnds(drawn, problems.length, DIFFERENCES),
    alike: !hasWidth(drawn),
    seeds: pairs.length,
    shared: sharedText([first, second], metric, problems.length, pairs.length),
    test: pSeeds === null ? null : { kind: p > pProblems ? 'seeds' : 'bootstrap', p },
    odds: oddsRatioOf(byProblem),
  };
}

/** null: the values of both are over the same problems and seeds. */
function sharedText(
  both: readonly MeasuredSeeds[],
  metric: MetricName,
  problems: number,
  seeds: number,
): string | null {
  const isWhole = both.every(
    (measured) =>
      measured.length === seeds && measured.every(({ values }) => values[metric].size === problems),
  );
  return isWhole ? null : `over the ${counted(problems, 'problem')} and ${counted(seeds, 'seed')} of both`;
}
