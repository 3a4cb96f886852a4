import {
  isFaultVerdict,
  outcomeOf,
  publicVerdictOf,
  type RunView,
  selectedNode,
  type TreePart,
  treeKey,
} from '../../../preload/contract/index';
import { COMPLEMENT_SENTENCE, hasSeveralFamilies } from '../../../preload/contract/plans/index';
import { type CsvCell, type CsvFile, csvFile } from '../../base/index';

/**
 * One row per candidate, in the order of runs, problems, parts and indices: nothing of time or chance of
 * scheduling is in it, so a resumed run gives the same bytes. `about_table`, in the first row alone: as in other tables.
 */
export function nodesCsv(views: readonly RunView[]): CsvFile {
  const rows: CsvCell[][] = [];
  const about = hasSeveralFamilies(views.map(({ config }) => config)) ? COMPLEMENT_SENTENCE : null;
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
            publicVerdictOf(node),
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
            rows.length === 0 ? about : null,
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
      'about_table',
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
