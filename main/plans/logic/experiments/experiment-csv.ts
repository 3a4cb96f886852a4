import type { ExperimentPair, ExperimentRequest, ExperimentResult } from '../../../../preload/contract';
import {
  differsByBothTests,
  evaluatedOn,
  experimentScale,
  hasWidth,
  metricInFiles,
} from '../../../../preload/contract/plans';
import { type CsvCell, type CsvFile, csvFile } from '../../../base';

/**
 * One row per row of the experiment, metric, part and agent. `value`, `low`, `high` are rates in [0, 1] except for
 * da@10; `low` and `high` are empty where there is no interval; budgets are those of one training.
 */
export function cellsCsv(request: ExperimentRequest, result: ExperimentResult): CsvFile {
  const { benchmark, nodes } = evaluatedOn(request);
  return csvFile(
    [
      'experiment',
      'label',
      'method',
      'families',
      'metric',
      'part',
      'agent',
      'value',
      'low',
      'high',
      'seeds',
      'problems',
      'updates_per_agent',
      'samples_per_agent',
      'samples_total',
      'scale',
      'complete',
      ...['seed_sd', 'seed_min', 'seed_max', 'benchmark', 'nodes_per_tree'],
    ],
    result.cells.map((cell): CsvCell[] => {
      const row = request.rows.find(({ label }) => label === cell.label);
      const budget = result.budgets.find(({ label }) => label === cell.label);
      return [
        request.name,
        cell.label,
        row?.method ?? null,
        row?.families.join(' ') ?? null,
        metricInFiles(cell.metric),
        cell.part,
        cell.agentId,
        cell.value,
        ...boundsOf(cell),
        cell.seeds,
        cell.problems,
        budget?.updatesPerAgent ?? null,
        budget?.samplesPerAgent ?? null,
        budget?.samplesTotal ?? null,
        experimentScale(request),
        yesOrNo(result.complete),
        cell.seedSpread?.sd ?? null,
        cell.seedSpread?.min ?? null,
        cell.seedSpread?.max ?? null,
        benchmark,
        nodes,
      ];
    }),
  );
}

/** One row per pair, metric and part: `difference` is first minus second. */
export function pairsCsv(request: ExperimentRequest, result: ExperimentResult): CsvFile {
  return csvFile(
    [
      'experiment',
      'metric',
      'part',
      'first',
      'second',
      'difference',
      'low',
      'high',
      'p_problems',
      'p_seeds',
      'p_holm',
      'scale',
      'complete',
      ...['seeds', 'problems', 'odds_ratio', 'odds_ratio_low', 'odds_ratio_high', 'seed_sd', 'significant'],
    ],
    result.pairs.map((pair): CsvCell[] => [
      request.name,
      metricInFiles(pair.metric),
      pair.part,
      pair.first,
      pair.second,
      pair.difference,
      ...boundsOf(pair),
      pair.pProblems,
      pair.pSeeds,
      pair.pHolm,
      experimentScale(request),
      yesOrNo(result.complete),
      pair.seeds,
      pair.problems,
      ...oddsCells(pair),
      pair.seedSpread?.sd ?? null,
      yesOrNo(differsByBothTests(pair)),
    ]),
  );
}

/** Empty where all resamples are the same, as with the one share of a training over one seed. */
function boundsOf(estimate: { readonly low: number; readonly high: number }): CsvCell[] {
  return hasWidth(estimate) ? [estimate.low, estimate.high] : [null, null];
}

/** Infinite where the second does better on no problem; empty where they differ on none. */
function oddsCells({ oddsRatio: odds }: ExperimentPair): CsvCell[] {
  if (odds === null) return [null, null, null];
  return [odds.value ?? Number.POSITIVE_INFINITY, odds.low, odds.high ?? Number.POSITIVE_INFINITY];
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
