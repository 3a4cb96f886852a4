import type { ExperimentPair, ExperimentRequest, ExperimentResult } from '../../../../preload/contract';
import {
  boundsOf,
  differsByBothTests,
  evaluatedOn,
  experimentScale,
  metricInFiles,
  REQUIRED_SENTENCES,
} from '../../../../preload/contract/plans';
import { type CsvCell, type CsvFile, csvFile } from '../../../base';

/** The trainings that are done. */
type Trained = readonly { readonly label: string; readonly seed: number }[];

/**
 * One row per row of the experiment, metric, part and agent. `value`, `low`, `high` are rates in [0, 1] except for
 * da@10; `low` and `high` are empty where there is no interval; budgets are those of one training. `seed_numbers` and `about_table` are as in tables of studies.
 */
export function cellsCsv(request: ExperimentRequest, result: ExperimentResult, done: Trained): CsvFile {
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
      ...['seed_numbers', 'about_table'],
    ],
    result.cells.map((cell, at): CsvCell[] => {
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
        seedNumbers(request, done, cell.seeds, [cell.label]),
        at === 0 ? aboutText(result) : null,
      ];
    }),
  );
}

/** One row per pair, metric and part: `difference` is first minus second. */
export function pairsCsv(request: ExperimentRequest, result: ExperimentResult, done: Trained): CsvFile {
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
      ...['seed_numbers', 'about_table'],
    ],
    result.pairs.map((pair, at): CsvCell[] => [
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
      seedNumbers(request, done, pair.seeds, [pair.first, pair.second]),
      at === 0 ? aboutText(result) : null,
    ]),
  );
}

/** Those that all of these rows have, joined by spaces; null where another number of them counts, as a training lacks the value. */
function seedNumbers(
  { seeds }: ExperimentRequest,
  done: Trained,
  counted: number,
  labels: readonly string[],
): string | null {
  const shared = seeds.filter((seed) =>
    labels.every((label) => done.some((training) => training.label === label && training.seed === seed)),
  );
  return shared.length === counted ? shared.join(' ') : null;
}

/** What is always said beside these values; the rest is in the manifest. */
function aboutText({ sentences }: ExperimentResult): string | null {
  return sentences.filter((sentence) => REQUIRED_SENTENCES.includes(sentence)).join(' ') || null;
}

/** Infinite where the second does better on no problem; empty where they differ on none. */
function oddsCells({ oddsRatio: odds }: ExperimentPair): CsvCell[] {
  if (odds === null) return [null, null, null];
  return [odds.value ?? Number.POSITIVE_INFINITY, odds.low, odds.high ?? Number.POSITIVE_INFINITY];
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
