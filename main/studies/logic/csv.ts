import {
  type Analysis,
  isFaultVerdict,
  outcomeOf,
  type Pair,
  type PartPair,
  type RunView,
  selectedNode,
  type TreePart,
  treeKey,
} from '../../../preload/contract/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';

/**
 * One row per configuration and metric. `value`, `low`, `high` are rates in [0, 1]; `seeds` counts the seeds, `seed_numbers` has them joined by spaces.
 * `sandbox_faults`: candidates left out because the sandbox or the grader failed. `over_ties`: of pass@1(mcts), its value
 * when ties are broken by chance. `seed_sd`, `seed_min`, `seed_max`: spread of the seeds' own values, empty with one seed.
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
      ...['seed_sd', 'seed_min', 'seed_max'],
    ],
    analysis.rows.flatMap((row) =>
      row.cells.map((cell): CsvCell[] => [
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
        cell.seedSpread?.sd ?? null,
        cell.seedSpread?.min ?? null,
        cell.seedSpread?.max ?? null,
      ]),
    ),
  );
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
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high'],
    ],
    analysis.pairs.map((pair): CsvCell[] => [
      ...differenceCells(pair),
      pair.detectable,
      pair.problemsNeeded,
      scaleOf(pair.first),
      scaleOf(pair.second),
      analysis.complete ? 'yes' : 'no',
      ...oddsCells(pair.oddsRatio),
    ]),
  );
}

/** One row per part of the problems, metric and pair; `p_holm` is corrected over the parts and pairs of a metric. */
export function partPairsCsv(analysis: Analysis): CsvFile {
  const scaleOf = scales(analysis);
  return csvFile(
    [
      ...['by', 'part', ...DIFFERENCE, 'first_scale', 'second_scale', 'complete'],
      ...['odds_ratio', 'odds_ratio_low', 'odds_ratio_high'],
    ],
    analysis.partPairs.map((pair): CsvCell[] => [
      pair.by,
      pair.part,
      ...differenceCells(pair),
      scaleOf(pair.first),
      scaleOf(pair.second),
      analysis.complete ? 'yes' : 'no',
      ...oddsCells(pair.oddsRatio),
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
      ...['seed_sd', 'seed_min', 'seed_max'],
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
      breakdown.seedSpread?.sd ?? null,
      breakdown.seedSpread?.min ?? null,
      breakdown.seedSpread?.max ?? null,
    ]),
  );
}

function scales(analysis: Analysis): (configuration: string) => string {
  const scales = new Map(analysis.rows.map((row) => [row.configuration, row.scale]));
  return (configuration) => scales.get(configuration) ?? '';
}

/**
 * One row per candidate, in the order of runs, problems, parts and indices: nothing of time or chance of
 * scheduling is in it, so a resumed run gives the same bytes.
 */
export function nodesCsv(views: readonly RunView[]): CsvFile {
  const rows: CsvCell[][] = [];
  for (const view of views) {
    const { config } = view;
    for (const problemId of config.problemIds) {
      for (const part of ['search', 'samples'] as const satisfies readonly TreePart[]) {
        const tree = view.trees.get(treeKey(problemId, part));
        if (tree === undefined) continue;
        const answer = part === 'search' ? selectedNode(tree.nodes, config.search) : null;
        for (const node of tree.nodes) {
          rows.push([
            config.configuration,
            config.seed,
            problemId,
            part,
            node.index,
            node.parent,
            node.depth,
            node.agentId,
            node.parent === -1 ? 'new' : 'refine',
            node.score,
            node.publicVerdict,
            node.publicVerdicts.join(' '),
            node.privateVerdict,
            node.privateVerdicts.join(' '),
            part === 'search' ? (node === answer ? 'yes' : 'no') : '',
            part === 'search' ? outcomeOf(tree, config.search) : '',
            node.programDigest,
            node.generationSeed,
            node.promptTokens,
            node.completionTokens,
            config.scale,
            node.reward,
            node.answerEnd,
            node.otherVerdict,
          ]);
        }
      }
    }
  }
  return csvFile(
    [
      'configuration',
      'seed',
      'problem',
      'part',
      'node',
      'parent',
      'depth',
      'agent',
      'action',
      'public_score',
      'public_verdict',
      'public_verdicts',
      'private_verdict',
      'private_verdicts',
      'answer',
      'problem_outcome',
      'program_digest',
      'generation_seed',
      'prompt_tokens',
      'completion_tokens',
      'scale',
      'reward',
      'answer_end',
      'other_verdict',
    ],
    rows,
  );
}

/** The two files that MARTI's evaluation writes, by the names that it gives them. */
export type MartiFiles = {
  /** all_public_scores.csv */
  readonly publicScores: CsvFile;
  /** all_private_scores.csv */
  readonly privateScores: CsvFile;
};

/**
 * Nodes of search trees as MARTI writes them. `prompt_id` is the problem's id in its benchmark (MARTI counts within a
 * worker, so that problems of several workers fall together); of several runs, with configuration and seed in front.
 * `public_score` is the score that the search received; `private_score` is 1 or 0, and a node without a private verdict, or on
 * which the sandbox or the grader failed, is only in the first file.
 */
export function martiCsv(views: readonly RunView[]): MartiFiles {
  const publicRows: CsvCell[][] = [];
  const privateRows: CsvCell[][] = [];
  for (const { config, trees } of views) {
    for (const problemId of config.problemIds) {
      const id = views.length === 1 ? problemId : `${config.configuration}/${config.seed}/${problemId}`;
      for (const node of trees.get(treeKey(problemId, 'search'))?.nodes ?? []) {
        publicRows.push([id, node.index, node.score]);
        const verdict = node.privateVerdict;
        if (verdict === null || isFaultVerdict(verdict)) continue;
        privateRows.push([id, node.index, verdict === 'passed' ? 1 : 0]);
      }
    }
  }
  return {
    publicScores: csvFile(['prompt_id', 'node_idx', 'public_score'], publicRows),
    privateScores: csvFile(['prompt_id', 'node_idx', 'private_score'], privateRows),
  };
}
