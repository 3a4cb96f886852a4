import { useThrottledValue } from '@mantine/hooks';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { ProblemTextView } from '../shared/problems/index';
import { readyValue, useNodeDetail, useNodePosteriors } from '../state/index';
import { type DetailState, NodeInspector } from './inspector/index';
import { answerOf } from './tree/index';
import { useTrees } from './trees-context';

/** Update intervals while keys are held or the slider moves, and while a replay plays; milliseconds. */
const INTERVAL_MS = 100;
const PLAYING_INTERVAL_MS = 250;

/** The inspector of the selected node of the active tree. */
export function InspectorPane() {
  const { active: now, replay, hindsight, setHindsight, route, problemId, tab, setTab } = useTrees();
  // Deferred, so that moving from node to node never waits for a program to render.
  const active = useDeferredValue(useThrottledValue(now, replay.playing ? PLAYING_INTERVAL_MS : INTERVAL_MS));
  const { side, shown, selected, choose } = active;
  const { search } = side.run;
  const answer = useMemo(() => (shown === null ? null : answerOf(shown, search)), [shown, search]);
  // The problem alone would leave this pane empty: what the search makes of it is read beside it.
  const index = selected ?? (route.tab === 'problem' ? answer : null);
  const node = index === null ? null : (shown?.nodes[index] ?? null);
  const nodeKey =
    node === null || problemId === null
      ? null
      : { runId: side.run.id, problemId, part: route.part, index: node.index };
  const detail = useNodeDetail(nodeKey);
  // Computed by repeating the search, so only when the tab is open and no replay plays.
  const beliefs = readyValue(useNodePosteriors(tab === 'Why' && !replay.playing ? nodeKey : null));
  // A replay shows what the search knew; the final grades of its nodes are there, but came later.
  const isGraded = node !== null && (side.tree?.nodes[node.index]?.privateVerdict ?? null) !== null;
  const hidesPrivate = replay.moment !== null && !hindsight && isGraded;
  const showPrivate = useCallback(() => setHindsight(true), [setHindsight]);
  const state = useMemo<DetailState>(() => {
    if (node === null) return { kind: 'none' };
    return detail.kind === 'failed' ? { kind: 'failed', message: detail.error.message } : detail;
  }, [node, detail]);
  return (
    <NodeInspector
      node={node}
      tree={shown}
      agents={side.agents}
      scale={side.run.scale}
      grading={side.run.search.grading}
      tab={tab}
      onTab={setTab}
      beliefs={beliefs}
      answer={answer}
      rule={search}
      onChoose={choose}
      detail={state}
      onShowPrivate={hidesPrivate ? showPrivate : null}
      problem={
        problemId !== null &&
        route.tab !== 'problem' && (
          <ProblemTextView benchmarkId={side.run.benchmarkId} problemId={problemId} />
        )
      }
    />
  );
}
