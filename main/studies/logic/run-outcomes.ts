import {
  type JournalProblem,
  outcomeOf,
  type RunConfig,
  type RunOutcomes,
  type RunView,
  type TreeView,
  treeKey,
} from '../../../preload/contract/index';

type TreeSummary = {
  readonly outcome: RunOutcomes['outcomes'][number];
  readonly nodes: number;
  readonly firstPassing: number;
  readonly failures: number;
};

/**
 * Sums up runs for squares and lists. A tree that has not changed since it was last asked about is not looked at
 * again, so that asking often while a study runs costs little.
 */
export class OutcomeSummary {
  readonly #known = new WeakMap<TreeView, TreeSummary>();

  /** `view` is null where nothing of the run could be read, or nothing has happened. */
  of(
    config: RunConfig,
    view: RunView | null,
    more: { readonly warnings: readonly string[]; readonly trouble: JournalProblem | null },
  ): RunOutcomes {
    const trees = config.problemIds.map((id) => this.#tree(config, view?.trees.get(treeKey(id, 'search'))));
    const samples = config.problemIds.map((id) => view?.trees.get(treeKey(id, 'samples')));
    const failures =
      trees.reduce((sum, tree) => sum + tree.failures, 0) +
      samples.reduce((sum, tree) => sum + (tree === undefined ? 0 : failuresOf(tree)), 0);
    return {
      runId: config.id,
      outcomes: trees.map(({ outcome }) => outcome),
      nodes: trees.map(({ nodes }) => nodes),
      firstPassing: trees.map(({ firstPassing }) => firstPassing),
      failures,
      warnings: [...more.warnings],
      finished: view?.finished ?? false,
      trouble: more.trouble,
    };
  }

  #tree(config: RunConfig, tree: TreeView | undefined): TreeSummary {
    if (tree === undefined) return { outcome: 'waiting', nodes: 0, firstPassing: -1, failures: 0 };
    const known = this.#known.get(tree);
    if (known !== undefined) return known;
    const summary: TreeSummary = {
      outcome: outcomeOf(tree, config.search),
      nodes: tree.nodes.length,
      firstPassing: tree.nodes.findIndex(({ privateVerdict }) => privateVerdict === 'passed'),
      failures: failuresOf(tree),
    };
    this.#known.set(tree, summary);
    return summary;
  }
}

/** A recorded agent that has no sample left is in the nature of recordings. */
function failuresOf(tree: TreeView): number {
  return tree.failures.filter(({ reason }) => reason !== 'exhausted' && reason !== 'no-refinement').length;
}

/** What the table says of runs whose journals are damaged, first of all that it says. */
export function journalProblemSentences(
  runs: readonly RunConfig[],
  outcomes: readonly RunOutcomes[],
): string[] {
  return outcomes.flatMap(({ runId, trouble }) => {
    if (trouble === null) return [];
    const config = runs.find(({ id }) => id === runId);
    const name = config === undefined ? runId : `${config.configuration}, seed ${config.seed}`;
    return [
      `Part of the run ${name} is missing, and its problems that are not whole are left out of all numbers. ${trouble.message}`,
    ];
  });
}
