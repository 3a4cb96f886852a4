import { Select } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { treeKey } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { StudyView } from '../../preload/contract/study';
import {
  addressOf,
  arrangedProblems,
  configurationsOf,
  problemLines,
  type RunTab,
  readyValue,
  runLabel,
  useNodeDetail,
  useRun,
  useSettings,
  useWorkbench,
} from '../state/index';
import { configurationColor } from '../theme/index';
import { FailedState, LoadingState, ScaleTag, Screen } from '../widgets/index';
import { NodeInspector } from './inspector/index';
import { MiddlePane } from './middle-pane';
import { ANY_PROBLEM, ProblemPane, type ProblemWish } from './problem-pane';
import styles from './run.module.css';
import type { RunPlace } from './run-place';
import { answerOf } from './tree/index';

/** The name under which the sizes are remembered, the panes from left to right, and their first sizes in percent. */
const GROUP = 'run';
const PANES = ['problems', 'middle', 'inspector'] as const;
const FIRST_SIZES = [19, 46, 35];
const TABS: readonly RunTab[] = ['tree', 'nodes', 'curves', 'problem'];

export function RunPanes(props: {
  readonly view: StudyView;
  readonly run: RunConfig;
  readonly place: RunPlace;
}) {
  const { view, run, place } = props;
  const { study } = view;
  const { location, settings } = useWorkbench();
  const panes = useSettings()?.panes ?? {};
  const folded = useRun(run.id);
  const runView = readyValue(folded);
  const [wish, setWish] = useState<ProblemWish>(ANY_PROBLEM);
  const lines = useMemo(() => problemLines(run, runView), [run, runView]);
  const arranged = useMemo(() => arrangedProblems(lines, wish), [lines, wish]);
  const problemId = place.problemId ?? arranged[0]?.problemId ?? null;
  const tree = problemId === null ? null : (runView?.trees.get(treeKey(problemId, place.part)) ?? null);
  const node = place.node === null ? null : (tree?.nodes[place.node] ?? null);
  const detail = useNodeDetail(
    node === null || problemId === null
      ? null
      : { runId: run.id, problemId, part: place.part, index: node.index },
  );

  const go = (next: Partial<RunPlace>, replace = false): void =>
    location.go({ ...place, problemId, ...next }, { replace });
  const openProblem = (id: string): void => go({ problemId: id, node: null });
  const stepProblem = (step: number): void => {
    const at = arranged.findIndex((line) => line.problemId === problemId);
    const next = arranged[Math.min(arranged.length - 1, Math.max(0, at + step))];
    if (next !== undefined && next.problemId !== problemId) openProblem(next.problemId);
  };
  const stepRun = (step: number): void => {
    const at = study.runs.findIndex(({ id }) => id === run.id);
    const next = study.runs[at + step];
    if (next !== undefined) go({ runId: next.id, node: null });
  };
  useHotkeys([
    ['j', () => stepProblem(1)],
    ['k', () => stepProblem(-1)],
    ['[', () => stepRun(-1)],
    [']', () => stepRun(1)],
    ['Escape', () => place.node !== null && go({ node: null }, true), { preventDefault: false }],
    ...TABS.map((tab, at): [string, () => void] => [String(at + 1), () => go({ tab }, true)]),
  ]);

  const sizes = panes[GROUP]?.length === PANES.length ? panes[GROUP] : FIRST_SIZES;
  const position = configurationsOf(study).indexOf(run.configuration);
  return (
    <Screen
      fill
      title={
        <a className={styles.back} href={`#${addressOf({ kind: 'study', studyId: study.id })}`}>
          {study.name}
        </a>
      }
      aside={
        <>
          <IconChevronRight size={14} aria-hidden="true" className={styles.between} />
          <i className={styles.chip} style={{ background: configurationColor(position) }} />
          <Select
            aria-label="Configuration"
            w={200}
            value={run.id}
            allowDeselect={false}
            data={study.runs.map((one) => ({ value: one.id, label: runLabel(study, one) }))}
            onChange={(runId) => runId !== null && go({ runId, node: null })}
          />
          <ScaleTag scale={run.scale} />
          <span className={styles.soft}>
            N = {run.search.nodes}, seed {run.seed}
          </span>
        </>
      }
    >
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
              runLabel={runLabel(study, run)}
              lines={lines}
              arranged={arranged}
              wish={wish}
              onWish={setWish}
              chosen={problemId}
              onChoose={openProblem}
            />
          )}
        </Panel>
        <Separator className={styles.separator} aria-label="Width of the list of problems" />
        <Panel id="middle" minSize={320} className={styles.pane}>
          {folded.kind === 'loading' ? (
            <div className={styles.padded}>
              <LoadingState what="Reading the journal of this run" />
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
            <MiddlePane study={study} run={run} place={place} problemId={problemId} tree={tree} go={go} />
          )}
        </Panel>
        <Separator className={styles.separator} aria-label="Width of the inspector" />
        <Panel id="inspector" minSize={280} className={styles.pane}>
          <NodeInspector
            node={node}
            tree={tree}
            agents={run.team.agents}
            answer={tree === null ? null : answerOf(tree, run.search.tie)}
            onChoose={(index) => go({ node: index }, true)}
            detail={
              node === null
                ? { kind: 'none' }
                : detail.kind === 'failed'
                  ? { kind: 'failed', message: detail.error.message }
                  : detail
            }
          />
        </Panel>
      </Group>
    </Screen>
  );
}
