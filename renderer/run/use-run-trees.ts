import { useState } from 'react';
import type { TreeView } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import { useRememberedSwitch } from '../state/index';
import { type Replay, useReplay } from './replay/index';
import type { RunPlace } from './run-place';
import { nodeInView, type RunSide, useRunSide, useShownTree, useStudyOfRun } from './run-side';

/** A tree as it is shown, and the node of it that is looked at. */
export type ShownTree = {
  readonly side: RunSide;
  readonly shown: TreeView | null;
  readonly selected: number | null;
  readonly choose: (node: number | null) => void;
};

export type RunTrees = {
  readonly main: ShownTree;
  /** null: one tree alone. */
  readonly beside: ShownTree | null;
  /** The one whose node was chosen last: the inspector's. */
  readonly looked: ShownTree;
  readonly replay: Replay;
  /** In a replay: also what was found out only after the search. */
  readonly hindsight: boolean;
  readonly setHindsight: (on: boolean) => void;
};

/** The trees that the screen shows, at one moment of their searches. */
export function useRunTrees(options: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly place: RunPlace;
  readonly problemId: string | null;
  readonly go: (next: Partial<RunPlace>, replace?: boolean) => void;
}): RunTrees {
  const { study, run, place, problemId, go } = options;
  const { part, moment: told = null, beside: besideId = null } = place;
  const [hindsight, setHindsight] = useRememberedSwitch('replay-hindsight', false);
  const [besideNode, setBesideNode] = useState<number | null>(null);
  const [looksBeside, setLooksBeside] = useState(false);
  const mainSide = useRunSide({ study, run }, problemId, part) as RunSide;
  const other = useStudyOfRun(besideId === run.id ? null : besideId);
  const besideSide = useRunSide(other, problemId, part);
  const count = (side: RunSide | null): number => side?.tree?.nodes.length ?? 0;
  const replay = useReplay({
    total: Math.max(count(mainSide), count(besideSide)),
    told,
    tell: (moment) => go({ moment }, true),
    treeId: `${problemId} ${part}`,
  });
  const { moment } = replay;
  const mainShown = useShownTree(mainSide.tree, moment, hindsight);
  const besideShown = useShownTree(besideSide?.tree ?? null, moment, hindsight);

  const main: ShownTree = {
    side: mainSide,
    shown: mainShown,
    selected: nodeInView(mainShown, place.node, moment),
    choose: (node) => {
      setLooksBeside(false);
      go({ node }, true);
    },
  };
  const beside: ShownTree | null =
    besideSide === null
      ? null
      : {
          side: besideSide,
          shown: besideShown,
          selected: nodeInView(besideShown, besideNode, moment),
          choose: (node) => {
            setLooksBeside(node !== null);
            setBesideNode(node);
          },
        };
  const looked = looksBeside && beside !== null ? beside : main;
  return { main, beside, looked, replay, hindsight, setHindsight };
}
