import { SegmentedControl, Tabs } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';
import { ProblemTextView } from '../shared/problems/index';
import type { RunTab } from '../state/index';
import styles from './run.module.css';
import { RunCurves } from './run-curves';
import type { RunRoute } from './use-run-trees';

const TABS: readonly { readonly id: RunTab; readonly label: string }[] = [
  { id: 'tree', label: 'Tree' },
  { id: 'nodes', label: 'Nodes' },
  { id: 'curves', label: 'Curves' },
  { id: 'problem', label: 'Problem' },
];

/** The tabs of a problem; `trees`: the tree or the node table, depending on the tab. */
export function MiddlePane(props: {
  readonly study: Study;
  readonly run: RunConfig;
  readonly route: RunRoute;
  readonly problemId: string | null;
  readonly trees: ReactNode;
  readonly go: (next: Partial<RunRoute>, replace?: boolean) => void;
}) {
  const { study, run, route, problemId, go } = props;
  /** The other part as it was left, for the way back. */
  const left = useRef<RunRoute | null>(null);
  const showPart = (part: RunRoute['part']): void => {
    const { runId, problemId, node, moment } = left.current ?? {};
    const isSame = left.current?.part === part && runId === route.runId && problemId === route.problemId;
    left.current = route;
    go({ part, node: (isSame ? node : null) ?? null, moment: (isSame ? moment : null) ?? null }, true);
  };
  return (
    <Tabs
      className={styles.tabs}
      value={route.tab}
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
          {route.tab === 'curves' ? 'all problems of the study' : problemId}
        </span>
        {run.search.samplesPerAgent > 0 && (route.tab === 'tree' || route.tab === 'nodes') && (
          <SegmentedControl
            aria-label="Part"
            value={route.part}
            onChange={(value) => showPart(value === 'samples' ? 'samples' : 'search')}
            data={[
              { value: 'search', label: 'Search' },
              { value: 'samples', label: 'Samples' },
            ]}
          />
        )}
      </div>
      <Tabs.Panel value="tree" className={styles.tabBody}>
        {props.trees}
      </Tabs.Panel>
      <Tabs.Panel value="nodes" className={styles.tabBody}>
        {props.trees}
      </Tabs.Panel>
      <Tabs.Panel value="curves" className={styles.tabBody}>
        <RunCurves study={study} configuration={run.configuration} />
      </Tabs.Panel>
      <Tabs.Panel value="problem" className={styles.tabBody}>
        {problemId !== null && <ProblemTextView benchmarkId={run.benchmarkId} problemId={problemId} />}
      </Tabs.Panel>
    </Tabs>
  );
}
