import { type Outcome, outcomeOf, type RunView, treeKey } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import { OUTCOMES } from '../text/metrics';
import { firstPassing } from './results';

/** One problem of a run as its list shows it. */
export type ProblemLine = {
  readonly problemId: string;
  /** Index in the run, from 0. */
  readonly position: number;
  readonly outcome: Outcome;
  /** How far its search is, in [0, 1]. */
  readonly fill: number;
  readonly nodes: number;
  /** Ordinal of the first node that passes the private tests, null where there is none (yet). */
  readonly firstPassing: number | null;
};

export type ProblemOrder = 'run' | 'outcome' | 'first';

export function problemLines(config: RunConfig, view: RunView | null): readonly ProblemLine[] {
  return config.problemIds.map((problemId, position) => {
    const tree = view?.trees.get(treeKey(problemId, 'search'));
    const nodes = tree?.nodes.length ?? 0;
    return {
      problemId,
      position,
      outcome: outcomeOf(tree, config.search),
      fill: nodes / config.search.nodes,
      nodes,
      firstPassing: firstPassing(view, problemId),
    };
  });
}

/** The lines whose id contains the text and that have the outcome (null: any), in this order. */
export function filterProblems(
  lines: readonly ProblemLine[],
  filter: { readonly text: string; readonly outcome: Outcome | null; readonly order: ProblemOrder },
): readonly ProblemLine[] {
  const text = filter.text.trim().toLowerCase();
  const matching = lines.filter(
    ({ problemId, outcome }) =>
      problemId.toLowerCase().includes(text) && (filter.outcome === null || outcome === filter.outcome),
  );
  switch (filter.order) {
    case 'run':
      return matching;
    case 'outcome':
      return matching.sort(
        (a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome) || a.position - b.position,
      );
    case 'first':
      // Unsolved problems come last.
      return matching.sort(
        (a, b) =>
          (a.firstPassing ?? Number.POSITIVE_INFINITY) - (b.firstPassing ?? Number.POSITIVE_INFINITY) ||
          a.position - b.position,
      );
  }
}

/** The common prefix of the ids ("pocket/test/"), which a narrow list leaves out. */
export function sharedPrefix(problemIds: readonly string[]): string {
  const first = problemIds[0];
  if (first === undefined || problemIds.length < 2) return '';
  let length = first.lastIndexOf('/') + 1;
  while (length > 0 && !problemIds.every((id) => id.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf('/', length - 2) + 1;
  }
  return first.slice(0, length);
}
