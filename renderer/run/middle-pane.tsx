import { SegmentedControl, Tabs } from '@mantine/core';
import type { TreeView } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import type { RunTab } from '../state/index';
import { EmptyState } from '../widgets/index';
import { NodeTable } from './node-table';
import { ProblemText } from './problem-text';
import styles from './run.module.css';
import { RunCurves } from './run-curves';
import type { RunPlace } from './run-place';
import { TreeCanvas } from './tree/index';

const TABS: readonly { readonly id: RunTab; readonly label: string }[] = [
  { id: 'tree', label: 'Tree' },
  { id: 'nodes', label: 'Nodes' },
  { id: 'curves', label: 'Curves' },
  { id: 'problem', label: 'Problem' },
];

export function MiddlePane(props: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly place: RunPlace;
  readonly problemId: string | null;
  readonly tree: TreeView | null;
  readonly go: (next: Partial<RunPlace>, replace?: boolean) => void;
}) {
  const { study, run, place, problemId, tree, go } = props;
  const perTree = place.part === 'search' && (place.tab === 'tree' || place.tab === 'nodes');
  return (
    <Tabs
      className={styles.tabs}
      value={place.tab}
      onChange={(value) => {
        const tab = TABS.find(({ id }) => id === value)?.id;
        if (tab !== undefined) go({ tab }, true);
      }}
    >
      <div className={styles.tabHead}>
        <Tabs.List aria-label="Views of the problem">
          {TABS.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <span className={styles.problemName} data-selectable>
          {problemId}
        </span>
        {run.search.samplesPerAgent > 0 && (place.tab === 'tree' || place.tab === 'nodes') && (
          <SegmentedControl
            aria-label="Part"
            value={place.part}
            onChange={(value) => go({ part: value === 'samples' ? 'samples' : 'search', node: null }, true)}
            data={[
              { value: 'search', label: 'Search' },
              { value: 'samples', label: 'Samples' },
            ]}
          />
        )}
      </div>
      <Tabs.Panel value="tree" className={styles.tabBody}>
        {tree === null || tree.nodes.length === 0 ? (
          <Nothing perTree={perTree} tree={tree} />
        ) : (
          <TreeCanvas
            tree={tree}
            agents={run.team.agents}
            tie={run.search.tie}
            selected={place.node}
            onSelect={(node) => go({ node }, true)}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="nodes" className={styles.tabBody}>
        {tree === null || tree.nodes.length === 0 ? (
          <Nothing perTree={perTree} tree={tree} />
        ) : (
          <NodeTable
            tree={tree}
            agents={run.team.agents}
            tie={run.search.tie}
            selected={place.node}
            onSelect={(node) => go({ node }, true)}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="curves" className={styles.tabBody}>
        <RunCurves study={study} configuration={run.configuration} />
      </Tabs.Panel>
      <Tabs.Panel value="problem" className={styles.tabBody}>
        {problemId !== null && <ProblemText benchmarkId={run.benchmarkId} problemId={problemId} />}
      </Tabs.Panel>
    </Tabs>
  );
}

function Nothing(props: { readonly perTree: boolean; readonly tree: TreeView | null }) {
  const failure = props.tree?.failures.at(-1);
  return (
    <div className={styles.padded}>
      <EmptyState title={props.perTree ? 'The search of this problem has not begun' : 'No samples yet'}>
        {failure === undefined
          ? 'Its nodes appear here one by one as the agents write them.'
          : `No node was made so far. The last try failed: ${failure.message}`}
      </EmptyState>
    </div>
  );
}
