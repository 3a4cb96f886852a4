import type { RunConfig } from '../run';
import type { LimitsChanged, RunExtended } from '../run-events';
import type { TreeLimits } from '../strategy';
import type { Study } from '../study';
import type { NodeView, RunView, TreeView, TrialFailure } from './run-view';
import {
  firstLimit,
  hasOtherLimits,
  isReopened,
  limitsOf,
  limitsSince,
  sameLimits,
  withLimits,
} from './tree-limits';

/**
 * The tree from a change of its limits on: it continues where it had ended with a lower one, and is cut where one is
 * lower now.
 */
function limited(tree: TreeView, before: TreeLimits, since: TreeLimits): TreeView {
  if (tree.part !== 'search') return tree;
  const { cut, ...earlier } = tree;
  const isLimited = earlier.limit !== undefined || since.nodes < before.nodes;
  const counted = { ...earlier, ...(isLimited ? { limit: since.nodes } : {}) };
  const nodes = cut === undefined ? counted.nodes : [...counted.nodes, ...cut.nodes];
  const failures = cut === undefined ? counted.failures : [...counted.failures, ...cut.failures];
  const ended = cut === undefined ? counted.searched : cut.searched;
  const searched = isReopened(ended, nodes, since) ? null : ended;
  // A tree that ends with a limit of tokens or seconds waits for its batch: only what is lower now cuts it.
  const limits = cut === undefined ? { ...since, ...loweredLimits(before, since) } : since;
  const reached = firstLimit(nodes, limits);
  const isCut = reached !== null && (reached.count < nodes.length || searched === null);
  if (!isCut) return { ...counted, nodes, failures, searched, graded: gradedIn(nodes) };
  const { count, end } = reached;
  const nodesWithin = nodes.slice(0, count);
  const isBehind = (failure: TrialFailure): boolean => failure.nodes >= count;
  return {
    ...counted,
    nodes: nodesWithin,
    failures: failures.filter((failure) => !isBehind(failure)),
    searched: end,
    graded: gradedIn(nodesWithin),
    cut: { nodes: nodes.slice(count), failures: failures.filter(isBehind), searched },
  };
}

const gradedIn = (nodes: readonly NodeView[]): number =>
  nodes.reduce((sum, node) => sum + (node.privateVerdict === null ? 0 : 1), 0);

/** Limits of tokens and seconds that are not lower than before do not count. */
function loweredLimits(before: TreeLimits, since: TreeLimits): Pick<TreeLimits, 'tokens' | 'seconds'> {
  const lower = (now: number | null, old: number | null): number | null =>
    now !== null && now < (old ?? Number.POSITIVE_INFINITY) ? now : null;
  return { tokens: lower(since.tokens, before.tokens), seconds: lower(since.seconds, before.seconds) };
}

/** The run with another plan: trees that ended with a smaller budget are open again. */
export function withChangedPlan(view: RunView, event: RunExtended | LimitsChanged): RunView {
  const { config } = view;
  const before = limitsOf(config.search);
  const since = limitsSince(event, before);
  const trees = [...view.trees].map(([key, tree]): [string, TreeView] => [
    key,
    sameLimits(before, since) ? tree : limited(tree, before, since),
  ]);
  const added = event.kind === 'run-extended' ? event.addedProblemIds : [];
  return {
    ...view,
    config: {
      ...config,
      problemIds: [...new Set([...config.problemIds, ...added])],
      search: withLimits(config.search, since),
    },
    trees: new Map(trees),
    finished: false,
  };
}

/**
 * What the plan of a run has otherwise than its view, as the events that say so. `limitsChanged`: its study says that the limits
 * of trees were changed; else a plan with fewer nodes is an old copy, and the journal knows more.
 */
export function planChanges(
  view: RunView,
  planned: RunConfig,
  { at, limitsChanged }: { readonly at: number; readonly limitsChanged: boolean },
): readonly (RunExtended | LimitsChanged)[] {
  const known = new Set(view.config.problemIds);
  const addedProblemIds = planned.problemIds.filter((id) => !known.has(id));
  const before = limitsOf(view.config.search);
  const most = { ...before, nodes: Math.max(before.nodes, planned.search.nodes) };
  const since = limitsChanged ? limitsOf(planned.search) : most;
  // An earlier version knows no other changes, and reads what it knows.
  const isOnlyMore = sameLimits(since, most);
  const earlierNodes = isOnlyMore ? before.nodes : since.nodes;
  const isExtended = addedProblemIds.length > 0 || earlierNodes !== since.nodes;
  return [
    ...(isOnlyMore ? [] : [{ kind: 'limits-changed', at, before, since } as const]),
    ...(isExtended
      ? [{ kind: 'run-extended', at, earlierNodes, nodes: since.nodes, addedProblemIds } as const]
      : []),
  ];
}

/** The view of a run as its study plans it now: its journal says so once the run continues. */
export function withPlannedConfig(
  view: RunView,
  planned: RunConfig,
  study: Pick<Study, 'extensions'>,
): RunView {
  const changes = planChanges(view, planned, { at: 0, limitsChanged: hasOtherLimits(study) });
  return changes.reduce(withChangedPlan, view);
}
