import { useState } from 'react';
import type { TreeView } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import { type Route, useStoredFlag } from '../state/index';
import { type Replay, useReplay } from './replay/index';
import { nodeInView, type RunSide, useRunSide, useShownTree, useStudyOfRun } from './run-side';

/** A tree as shown, with its selected node. */
export type ShownTree = {
  readonly side: RunSide;
  readonly shown: TreeView | null;
  readonly selected: number | null;
  readonly choose: (node: number | null) => void;
};

export type RunTrees = {
  readonly main: ShownTree;
  /** null: only one tree. */
  readonly second: ShownTree | null;
  /** The tree whose node was selected last; the inspector shows it. */
  readonly active: ShownTree;
  readonly replay: Replay;
  /** Show private verdicts in a replay. */
  readonly hindsight: boolean;
  readonly setHindsight: (on: boolean) => void;
};

/** The trees on the screen, at the replay's moment. */
export function useRunTrees(options: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly route: RunRoute;
  readonly problemId: string | null;
  readonly go: (next: Partial<RunRoute>, replace?: boolean) => void;
}): RunTrees {
  const { study, run, route, problemId, go } = options;
  const { part, moment: routeMoment = null, second: secondRunId = null } = route;
  const [hindsight, setHindsight] = useStoredFlag('replay-hindsight', false);
  const [secondNode, setSecondNode] = useState<number | null>(null);
  const [secondIsActive, setSecondIsActive] = useState(false);
  const mainSide = useRunSide({ study, run }, problemId, part) as RunSide;
  const other = useStudyOfRun(secondRunId === run.id ? null : secondRunId);
  const secondSide = useRunSide(other, problemId, part);
  const count = (side: RunSide | null): number => side?.tree?.nodes.length ?? 0;
  const replay = useReplay({
    total: Math.max(count(mainSide), count(secondSide)),
    routeMoment: routeMoment,
    onMoment: (moment) => go({ moment }, true),
    treeId: `${problemId} ${part}`,
  });
  const { moment } = replay;
  const mainShown = useShownTree(mainSide.tree, moment, hindsight);
  const secondShown = useShownTree(secondSide?.tree ?? null, moment, hindsight);

  const main: ShownTree = {
    side: mainSide,
    shown: mainShown,
    selected: nodeInView(mainShown, route.node, moment),
    choose: (node) => {
      setSecondIsActive(false);
      go({ node }, true);
    },
  };
  const second: ShownTree | null =
    secondSide === null
      ? null
      : {
          side: secondSide,
          shown: secondShown,
          selected: nodeInView(secondShown, secondNode, moment),
          choose: (node) => {
            setSecondIsActive(node !== null);
            setSecondNode(node);
          },
        };
  const active = secondIsActive && second !== null ? second : main;
  return { main, second, active, replay, hindsight, setHindsight };
}

export type RunRoute = Extract<Route, { readonly kind: 'run' }>;
