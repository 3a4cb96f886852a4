import { useHotkeys } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { RunConfig } from '../../preload/contract/run';
import type { StudyView } from '../../preload/contract/study';
import {
  damagedRuns,
  filterProblems,
  pathOf,
  problemLines,
  type RunTab,
  readyValue,
  useOutcomes,
  useRun,
  useSettings,
  useWorkbench,
} from '../state/index';
import { runLabel } from '../text/metrics';
import { isActive, repairDialogText } from '../text/studies';
import { ErrorNote, FailedState, LoadingState, Screen, useStableCallback } from '../widgets/index';
import { InspectorPane } from './inspector-pane';
import { MiddlePane } from './middle-pane';
import { NO_FILTER, type ProblemFilter, ProblemPane } from './problem-pane';
import styles from './run.module.css';
import { RunHead } from './run-head';
import { RunTrees } from './run-trees';
import { RunTreesProvider } from './trees-context';
import type { RunRoute } from './use-run-trees';

/** Settings key of the pane sizes; the panes from left to right, with default sizes in percent. */
const GROUP = 'run';
const PANES = ['problems', 'middle', 'inspector'] as const;
const DEFAULT_SIZES = [19, 46, 35];
const TABS: readonly RunTab[] = ['tree', 'nodes', 'curves', 'problem'];

export function RunPanes(props: {
  readonly view: StudyView;
  readonly run: RunConfig;
  readonly route: RunRoute;
}) {
  const { view, run, route } = props;
  const { study } = view;
  const { location, settings, studyCommands } = useWorkbench();
  const panes = useSettings()?.panes ?? {};
  const folded = useRun(run.id);
  const runView = readyValue(folded);
  // A running study is writing its journal, so do not check it for damage.
  const outcomes = readyValue(useOutcomes(isActive(view.state) ? null : study.id));
  const damage =
    damagedRuns(study, outcomes).find((damagedRun) => damagedRun.run.id === run.id)?.damage ?? null;
  const label = runLabel(study, run);
  const [filter, setFilter] = useState<ProblemFilter>(NO_FILTER);
  const lines = useMemo(() => problemLines(run, runView), [run, runView]);
  const shownLines = useMemo(() => filterProblems(lines, filter), [lines, filter]);
  const problemId = route.problemId ?? shownLines[0]?.problemId ?? null;
  const go = useStableCallback((next: Partial<RunRoute>, replace?: boolean): void =>
    location.go({ ...route, problemId, ...next }, { replace: replace ?? false }),
  );
  const showsTree = route.tab === 'tree' || route.tab === 'nodes';

  const openProblem = useStableCallback((id: string): void =>
    go({ problemId: id, node: null, moment: null }),
  );
  const openRun = useStableCallback((runId: string): void => go({ runId, node: null, moment: null }));
  const stepProblem = (step: number): void => {
    const at = shownLines.findIndex((line) => line.problemId === problemId);
    const next = shownLines[Math.min(shownLines.length - 1, Math.max(0, at + step))];
    if (next !== undefined && next.problemId !== problemId) openProblem(next.problemId);
  };
  const stepRun = (step: number): void => {
    const at = study.runs.findIndex(({ id }) => id === run.id);
    const next = study.runs[at + step];
    if (next !== undefined) openRun(next.id);
  };
  useHotkeys([
    ['j', () => stepProblem(1)],
    ['k', () => stepProblem(-1)],
    ['[', () => stepRun(-1)],
    [']', () => stepRun(1)],
    ...TABS.map((tab, at): [string, () => void] => [String(at + 1), () => go({ tab }, true)]),
  ]);

  const sizes = panes[GROUP]?.length === PANES.length ? panes[GROUP] : DEFAULT_SIZES;
  return (
    <Screen
      fill
      title={
        <a className={styles.back} href={`#${pathOf({ kind: 'study', studyId: study.id })}`}>
          {study.name}
        </a>
      }
      aside={<RunHead study={study} run={run} onRun={openRun} />}
      below={
        damage !== null && (
          <ErrorNote
            message={damage.message}
            hint={damage.hint}
            remedy={
              damage.repairable
                ? { ...repairDialogText(label), run: () => studyCommands.repair(run.id, label) }
                : undefined
            }
          />
        )
      }
    >
      <RunTreesProvider study={study} run={run} route={route} problemId={problemId} go={go}>
        <Group
          className={styles.group}
          orientation="horizontal"
          defaultLayout={Object.fromEntries(PANES.map((pane, at) => [pane, sizes[at] ?? 0]))}
          onLayoutChanged={(layout, meta) => {
            if (!meta.isUserInteraction) return;
            void settings.change({ panes: { ...panes, [GROUP]: PANES.map((pane) => layout[pane] ?? 0) } });
          }}
        >
          <Panel id="problems" minSize={190} className={styles.pane}>
            {folded.kind !== 'failed' && (
              <ProblemPane
                runLabel={label}
                lines={lines}
                shownLines={shownLines}
                filter={filter}
                onFilter={setFilter}
                chosen={problemId}
                onChoose={openProblem}
              />
            )}
          </Panel>
          <Separator className={styles.separator} aria-label="Width of the list of problems" />
          <Panel id="middle" minSize={320} className={styles.pane}>
            {folded.kind === 'loading' ? (
              <div className={styles.padded}>
                <LoadingState text="Loading the journal of this run" />
              </div>
            ) : folded.kind === 'failed' ? (
              <div className={styles.padded}>
                <FailedState
                  title="The journal of this run could not be read"
                  message={folded.error.message}
                  hint={folded.error.hint}
                />
              </div>
            ) : (
              <MiddlePane
                study={study}
                run={run}
                route={route}
                problemId={problemId}
                trees={
                  showsTree && (
                    <RunTrees tab={route.tab === 'nodes' ? 'nodes' : 'tree'} damaged={damage !== null} />
                  )
                }
                go={go}
              />
            )}
          </Panel>
          <Separator className={styles.separator} aria-label="Width of the inspector" />
          <Panel id="inspector" minSize={280} className={styles.pane}>
            <InspectorPane />
          </Panel>
        </Group>
      </RunTreesProvider>
    </Screen>
  );
}
