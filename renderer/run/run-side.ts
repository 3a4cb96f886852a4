import { useMemo } from 'react';
import { type TreeView, treeKey } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { TreePart } from '../../preload/contract/run-events';
import type { Study } from '../../preload/contract/study';
import { type PlacedAgent, placedAgents } from '../shared/studies/index';
import { readyValue, useHues, useRun, useStudies } from '../state/index';
import { runLabel } from '../text/metrics';
import { configurationColor } from '../theme/index';
import { type AnswerChange, answerChanges, treeAt, withoutPrivateVerdicts } from './replay/index';

/** A run whose tree is shown: the screen's own, or the second one. */
export type RunSide = {
  readonly study: Study;
  readonly run: RunConfig;
  readonly label: string;
  readonly color: string;
  readonly agents: readonly PlacedAgent[];
  /** The complete tree; null: none yet, or still loading. */
  readonly tree: TreeView | null;
  /** Changes of its answer. */
  readonly changes: readonly AnswerChange[];
};

const NO_CHANGES: readonly AnswerChange[] = [];

/** null: no such run, or none requested. */
export function useStudyOfRun(
  runId: string | null,
): { readonly study: Study; readonly run: RunConfig } | null {
  const studies = readyValue(useStudies());
  return useMemo(() => {
    for (const { study } of studies ?? []) {
      const run = study.runs.find(({ id }) => id === runId);
      if (run !== undefined) return { study, run };
    }
    return null;
  }, [studies, runId]);
}

/** The tree of this problem in this run, kept current. */
export function useRunSide(
  of: { readonly study: Study; readonly run: RunConfig } | null,
  problemId: string | null,
  part: TreePart,
): RunSide | null {
  const view = readyValue(useRun(of?.run.id ?? null));
  const tree = problemId === null ? null : (view?.trees.get(treeKey(problemId, part)) ?? null);
  const search = of?.run.search;
  const changes = useMemo(
    // Independent samples have no answer.
    () =>
      tree === null || search === undefined || part === 'samples'
        ? NO_CHANGES
        : answerChanges(tree.nodes, search),
    [tree, search, part],
  );
  const agents = useMemo(() => (of === null ? [] : placedAgents(of.study.runs, of.run)), [of]);
  const [hue = 0] = useHues(useMemo(() => (of === null ? [] : [of.run.configuration]), [of]));
  if (of === null) return null;
  const { study, run } = of;
  const color = configurationColor(hue);
  return { study, run, label: runLabel(study, run), color, agents, tree, changes };
}

/** The tree at a moment (null: present). Private verdicts of the past are shown only with `hindsight`. */
export function useShownTree(
  tree: TreeView | null,
  moment: number | null,
  hindsight: boolean,
): TreeView | null {
  const nodes = tree?.nodes;
  const hidesPrivate = moment !== null && !hindsight;
  const visibleNodes = useMemo(
    () => (nodes === undefined || !hidesPrivate ? nodes : withoutPrivateVerdicts(nodes)),
    [nodes, hidesPrivate],
  );
  return useMemo(
    () =>
      tree === null || moment === null || visibleNodes === undefined
        ? tree
        : treeAt(tree, visibleNodes, moment),
    [tree, visibleNodes, moment],
  );
}

/** The selected node if it exists at that moment; during a replay else the newest. */
export function nodeInView(
  tree: TreeView | null,
  chosen: number | null,
  moment: number | null,
): number | null {
  if (tree === null) return null;
  if (chosen !== null && chosen < tree.nodes.length) return chosen;
  return moment === null || tree.nodes.length === 0 ? null : tree.nodes.length - 1;
}
