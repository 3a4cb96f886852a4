import {
  type JournalProblem,
  outcomeOf,
  type RunConfig,
  type RunOutcomes,
  type RunView,
  type StudyWarning,
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
 * Summarises runs for outcome squares and lists. The summary of an unchanged tree is remembered, so that asking often
 * while a study runs costs little.
 */
export class OutcomeSummary {
  readonly #summaries = new WeakMap<TreeView, TreeSummary>();

  /** `view` is null where nothing of the run could be read, or nothing has happened. */
  of(
    config: RunConfig,
    view: RunView | null,
    more: { readonly warnings: readonly StudyWarning[]; readonly problem: JournalProblem | null },
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
      problem: more.problem,
    };
  }

  #tree(config: RunConfig, tree: TreeView | undefined): TreeSummary {
    if (tree === undefined) return { outcome: 'waiting', nodes: 0, firstPassing: -1, failures: 0 };
    const cached = this.#summaries.get(tree);
    if (cached !== undefined) return cached;
    const summary: TreeSummary = {
      outcome: outcomeOf(tree, config.search),
      nodes: tree.nodes.length,
      firstPassing: tree.nodes.findIndex(({ privateVerdict }) => privateVerdict === 'passed'),
      failures: failuresOf(tree),
    };
    this.#summaries.set(tree, summary);
    return summary;
  }
}

/** That a recorded agent runs out of samples is no failure. */
function failuresOf(tree: TreeView): number {
  return tree.failures.filter(({ reason }) => reason !== 'exhausted' && reason !== 'no-refinement').length;
}

/** For runs whose journals are damaged, or partly of a newer version; these sentences come first. */
export function journalProblemSentences(
  runs: readonly RunConfig[],
  outcomes: readonly Pick<RunOutcomes, 'runId' | 'problem'>[],
  /** Where no button beside it repairs a journal. */
  hints: 'with hints' | 'without hints' = 'without hints',
): string[] {
  return outcomes.flatMap(({ runId, problem }) => {
    if (problem === null) return [];
    const config = runs.find(({ id }) => id === runId);
    const name = config === undefined ? runId : `${config.configuration}, seed ${config.seed}`;
    const { message, hint } = problem;
    const why = hints === 'with hints' && hint !== undefined ? `${message} ${hint}` : message;
    if (problem.isNewer === true)
      return [`A newer version wrote a part of the run ${name}, which is left out of all numbers. ${why}`];
    return [
      `Part of the run ${name} is missing. Its incomplete problems are left out of all numbers. ${why}`,
    ];
  });
}
