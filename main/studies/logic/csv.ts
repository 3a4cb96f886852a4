import type { Analysis, Pair, PartPair, SeedSpread } from '../../../preload/contract/index';
import { boundsOf, REQUIRED_SENTENCES } from '../../../preload/contract/plans/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';

/**
 * One row per configuration and metric. `value`, `low`, `high` are rates in [0, 1]; `seeds` counts the seeds, `seed_numbers` has them joined by spaces.
 * `sandbox_faults`: candidates left out because the sandbox or the grader failed. `over_ties`: of pass@1(mcts), its value
 * when ties are broken by chance. `seed_sd`, `seed_min`, `seed_max`: spread of the seeds' own values, empty with one seed. `about_table`, in
 * the first row alone: what the table must not be read without.
 */
export function tableCsv(analysis: Analysis): CsvFile {
  return withAbout(
    analysis,
    [
      'configuration',
      'metric',
      'value',
      'low',
      'high',
      'problems',
      'seeds',
      'seed_numbers',
      'scale',
      'team',
      'nodes_per_tree',
      'candidates',
      'sandbox_faults',
      'complete',
      'over_ties',
      ...SPREAD,
    ],
    analysis.rows.flatMap((row) =>
      row.cells.map((cell): CsvCell[] => [
        row.configuration,
        cell.metric,
        cell.value,
        ...boundsOf(cell),
        cell.problems,
        row.seeds.length,
        row.seeds.join(' '),
        row.scale,
        row.team,
        row.nodesPerTree,
        cell.candidates,
        cell.faults,
        analysis.complete ? 'yes' : 'no',
        cell.overTies ?? null,
        ...spreadCells(cell),
      ]),
    ),
  );
}

/** With what is always said beside these values; how they are computed, and looked at before, is in the manifest. */
function withAbout(
  { sentences }: Analysis,
  columns: readonly string[],
  rows: ReadonlyArray<readonly CsvCell[]>,
): CsvFile {
  const about = sentences.filter((sentence) => REQUIRED_SENTENCES.includes(sentence)).join(' ') || null;
  return csvFile(
    [...columns, 'about_table'],
    rows.map((row, at) => [...row, at === 0 ? about : null]),
  );
}

/**
 * One row per point of every curve over nodes and tokens. Curves over seconds are left out: how long something took is
 * another number every time, and the same journal must give the same bytes as a resumed one.
 */
export function curvesCsv(analysis: Analysis): CsvFile {
  const { scaleOf, seedCells } = factsOf(analysis);
  return withAbout(
    analysis,
    ['configuration', 'measure', 'n', 'value', 'low', 'high', 'scale', 'axis', ...SEEDS],
    analysis.curves
      .filter(({ axis }) => axis !== 'seconds')
      .flatMap((curve) =>
        curve.points.map((point): CsvCell[] => [
          curve.configuration,
          curve.measure,
          point.n,
          point.value,
          ...boundsOf(point),
          scaleOf(curve.configuration),
          curve.axis,
          ...seedCells(curve.configuration),
        ]),
      ),
  );
}

/** The columns of every file of differences. `difference` is first minus second, a difference of rates. */
const DIFFERENCE = [
  'metric',
  'first',
  'second',
  'difference',
  'low',
  'high',
  'problems',
  'test',
  'only_first',
  'only_second',
  'p',
  'p_holm',
  'separable',
] as const;

function differenceCells(pair: Omit<PartPair, 'by' | 'part'>): CsvCell[] {
  return [
    pair.metric,
    pair.first,
    pair.second,
    pair.difference,
    ...boundsOf(pair),
    pair.problems,
    pair.test.kind,
    pair.test.onlyFirst,
    pair.test.onlySecond,
    pair.test.p,
    pair.test.pHolm,
    pair.separable ? 'yes' : 'no',
  ];
}

/** One row per metric and pair; `odds_ratio` is empty where they differ on no problem, `inf` where the second wins none. */
export function pairsCsv(analysis: Analysis): CsvFile {
  const { scaleOf, seedCells } = factsOf(analysis);
  return withAbout(
    analysis,
    [
      ...DIFFERENCE,
      ...['detectable', 'problems_needed', 'first_scale', 'second_scale', 'complete'],
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high', ...SPREAD, ...SEEDS],
    ],
    analysis.pairs.map((pair): CsvCell[] => [
      ...differenceCells(pair),
      pair.detectable,
      pair.problemsNeeded,
      scaleOf(pair.first),
      scaleOf(pair.second),
      analysis.complete ? 'yes' : 'no',
      ...oddsCells(pair.oddsRatio),
      ...spreadCells(pair),
      ...seedCells(pair.first, pair.second),
    ]),
  );
}

/** One row per part of the problems, metric and pair; `p_holm` is corrected over the parts and pairs of a metric. */
export function partPairsCsv(analysis: Analysis): CsvFile {
  const { scaleOf, seedCells } = factsOf(analysis);
  return withAbout(
    analysis,
    [
      ...['by', 'part', ...DIFFERENCE, 'first_scale', 'second_scale', 'complete'],
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high', ...SPREAD, ...SEEDS],
    ],
    analysis.partPairs.map((pair): CsvCell[] => [
      pair.by,
      pair.part,
      ...differenceCells(pair),
      scaleOf(pair.first),
      scaleOf(pair.second),
      analysis.complete ? 'yes' : 'no',
      ...oddsCells(pair.oddsRatio),
      ...spreadCells(pair),
      ...seedCells(pair.first, pair.second),
    ]),
  );
}

function oddsCells(odds: Pair['oddsRatio']): CsvCell[] {
  if (odds === null) return [null, null, null];
  return [odds.value ?? Number.POSITIVE_INFINITY, odds.low, odds.high ?? Number.POSITIVE_INFINITY];
}

/** One row per part of the problems, configuration and metric. */
export function breakdownsCsv(analysis: Analysis): CsvFile {
  const { scaleOf, seedCells } = factsOf(analysis);
  return withAbout(
    analysis,
    [
      ...['by', 'part', 'configuration', 'metric', 'value', 'low', 'high', 'problems', 'scale', 'complete'],
      ...SPREAD,
      ...SEEDS,
    ],
    analysis.breakdowns.map((breakdown): CsvCell[] => [
      breakdown.by,
      breakdown.part,
      breakdown.configuration,
      breakdown.metric,
      breakdown.value,
      ...boundsOf(breakdown),
      breakdown.problems,
      scaleOf(breakdown.configuration),
      analysis.complete ? 'yes' : 'no',
      ...spreadCells(breakdown),
      ...seedCells(breakdown.configuration),
    ]),
  );
}

/** Of the seeds' own values or differences; empty with one seed. */
const SPREAD = ['seed_sd', 'seed_min', 'seed_max'] as const;

function spreadCells({ seedSpread }: { readonly seedSpread?: SeedSpread | undefined }): CsvCell[] {
  return [seedSpread?.sd ?? null, seedSpread?.min ?? null, seedSpread?.max ?? null];
}

const SEEDS = ['seeds', 'seed_numbers'] as const;

/** What a row says of its configurations: the scale, and how many seeds they have, with their numbers. */
function factsOf({ rows }: Analysis) {
  const rowOf = new Map(rows.map((row) => [row.configuration, row]));
  return {
    scaleOf: (configuration: string): string => rowOf.get(configuration)?.scale ?? '',
    seedCells: (...configurations: readonly string[]): CsvCell[] => {
      const seeds = [...new Set(configurations.flatMap((name) => rowOf.get(name)?.seeds ?? []))];
      return [seeds.length, seeds.sort((a, b) => a - b).join(' ')];
    },
  };
}
