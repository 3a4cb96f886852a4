import { useHotkeys } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useState } from 'react';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import type { InspectorTab } from './inspector/index';
import { useReplayKeys } from './replay/index';
import type { RunRoute } from './use-run-trees';
import { type RunTrees, useRunTrees } from './use-run-trees';

/** State shared by the panes of the run screen. A context, so that replay frames re-render only its consumers. */
export type SharedTrees = RunTrees & {
  readonly route: RunRoute;
  readonly problemId: string | null;
  readonly go: (next: Partial<RunRoute>, replace?: boolean) => void;
  /** Of the inspector. */
  readonly tab: InspectorTab;
  readonly setTab: (tab: InspectorTab) => void;
};

const TreesContext = createContext<SharedTrees | null>(null);

export function RunTreesProvider(props: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly route: RunRoute;
  readonly problemId: string | null;
  readonly go: (next: Partial<RunRoute>, replace?: boolean) => void;
  readonly children: ReactNode;
}) {
  const { route, problemId, go } = props;
  const trees = useRunTrees(props);
  const [tab, setTab] = useState<InspectorTab>('Program');
  const { replay } = trees;
  const showsTree = route.tab === 'tree' || route.tab === 'nodes';
  useReplayKeys(replay, showsTree);
  useHotkeys([
    [
      'Escape',
      () => (route.node === null ? replay.goTo(replay.total) : go({ node: null }, true)),
      { preventDefault: false },
    ],
  ]);
  return (
    <TreesContext value={{ ...trees, route, problemId, go, tab, setTab }}>{props.children}</TreesContext>
  );
}

export function useTrees(): SharedTrees {
  const trees = useContext(TreesContext);
  if (trees === null) throw new Error('useTrees is used outside of the RunTreesProvider.');
  return trees;
}
