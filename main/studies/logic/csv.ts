import type { Analysis, Pair, PartPair, SeedSpread } from '../../../preload/contract/index';
import { ALWAYS_SAID } from '../../../preload/contract/plans/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';

/**
 * One row per configuration and metric. `value`, `low`, `high` are rates in [0, 1]; `seeds` counts the seeds, `seed_numbers` has them joined by spaces.
 * `sandbox_faults`: candidates left out because the sandbox or the grader failed. `over_ties`: of pass@1(mcts), its value
 * when ties are broken by chance. `seed_sd`, `seed_min`, `seed_max`: spread of the seeds' own values, empty with one seed. `about_table`, in
 * the first row alone: what the table must not be read without.
 */
export function tableCsv(analysis: Analysis): CsvFile {
  return csvFile(
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
      ...[...SPREAD, 'about_table'],
    ],
    analysis.rows.flatMap((row, rowAt) =>
      row.cells.map((cell, at): CsvCell[] => [
        row.configuration,
        cell.metric,
        cell.value,
        cell.low,
        cell.high,
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
        rowAt + at === 0 ? aboutText(analysis) : null,
      ]),
    ),
  );
}

/** What is always said beside these values; how they are computed, and looked at before, is in the manifest. */
function aboutText({ sentences }: Analysis): string | null {
  return sentences.filter((sentence) => ALWAYS_SAID.includes(sentence)).join(' ') || null;
}

/**
 * One row per point of every curve over nodes and tokens. Curves over seconds are left out: how long something took is
 * another number every time, and the same journal must give the same bytes as a resumed one.
 */
export function curvesCsv(analysis: Analysis): CsvFile {
  const scaleOf = scales(analysis);
  return csvFile(
    ['configuration', 'measure', 'n', 'value', 'low', 'high', 'scale', 'axis'],
    analysis.curves
      .filter(({ axis }) => axis !== 'seconds')
      .flatMap((curve) =>
        curve.points.map((point): CsvCell[] => [
          curve.configuration,
          curve.measure,
          point.n,
          point.value,
          point.low,
          point.high,
          scaleOf(curve.configuration),
          curve.axis,
        ]),
      ),
  );
}

/** Of a difference: the columns of every file of differences. `difference` is first minus second, a difference of rates. */
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
    pair.low,
    pair.high,
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
  const scaleOf = scales(analysis);
  return csvFile(
    [
      ...DIFFERENCE,
      ...['detectable', 'problems_needed', 'first_scale', 'second_scale', 'complete'],
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high', ...SPREAD],
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
    ]),
  );
}

/** One row per part of the problems, metric and pair; `p_holm` is corrected over the parts and pairs of a metric. */
export function partPairsCsv(analysis: Analysis): CsvFile {
  const scaleOf = scales(analysis);
  return csvFile(
    [
      ...['by', 'part', ...DIFFERENCE, 'first_scale', 'second_scale', 'complete'],
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high', ...SPREAD],
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
    ]),
  );
}

function oddsCells(odds: Pair['oddsRatio']): CsvCell[] {
  if (odds === null) return [null, null, null];
  return [odds.value ?? Number.POSITIVE_INFINITY, odds.low, odds.high ?? Number.POSITIVE_INFINITY];
}

/** One row per part of the problems, configuration and metric. */
export function breakdownsCsv(analysis: Analysis): CsvFile {
  const scaleOf = scales(analysis);
  return csvFile(
    [
      ...['by', 'part', 'configuration', 'metric', 'value', 'low', 'high', 'problems', 'scale', 'complete'],
      ...SPREAD,
    ],
    analysis.breakdowns.map((breakdown): CsvCell[] => [
      breakdown.by,
      breakdown.part,
      breakdown.configuration,
      breakdown.metric,
      breakdown.value,
      breakdown.low,
      breakdown.high,
      breakdown.problems,
      scaleOf(breakdown.configuration),
      analysis.complete ? 'yes' : 'no',
      ...spreadCells(breakdown),
    ]),
  );
}

/** Of the seeds' own values or differences; empty with one seed. */
const SPREAD = ['seed_sd', 'seed_min', 'seed_max'] as const;

function spreadCells({ seedSpread }: { readonly seedSpread?: SeedSpread | undefined }): CsvCell[] {
  return [seedSpread?.sd ?? null, seedSpread?.min ?? null, seedSpread?.max ?? null];
}

function scales(analysis: Analysis): (configuration: string) => string {
  const scales = new Map(analysis.rows.map((row) => [row.configuration, row.scale]));
  return (configuration) => scales.get(configuration) ?? '';
}
