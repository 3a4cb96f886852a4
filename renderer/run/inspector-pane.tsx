import { useThrottledValue } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import type { NodeDetail } from '../../preload/contract/node-detail';
import { type Loadable, readyValue, useNodeDetail, useNodePosteriors } from '../state/index';
import { type DetailState, type InspectorTab, NodeInspector } from './inspector/index';
import { answerOf } from './tree/index';
import { useTrees } from './trees-context';

/** Update intervals while keys are held or the slider moves, and while a replay plays; milliseconds. */
const INTERVAL_MS = 100;
const PLAYING_INTERVAL_MS = 250;

/** The inspector of the selected node of the active tree. */
export function InspectorPane() {
  const { active: now, replay, route, problemId } = useTrees();
  // Deferred, so that moving from node to node never waits for a program to render.
  const active = useDeferredValue(useThrottledValue(now, replay.playing ? PLAYING_INTERVAL_MS : INTERVAL_MS));
  const { side, shown, selected, choose } = active;
  const node = selected === null ? null : (shown?.nodes[selected] ?? null);
  const nodeKey =
    node === null || problemId === null
      ? null
      : { runId: side.run.id, problemId, part: route.part, index: node.index };
  const detail = useNodeDetail(nodeKey);
  const [tab, setTab] = useState<InspectorTab>('Program');
  // Computed by repeating the search, so only when the tab is open and no replay plays.
  const beliefs = readyValue(useNodePosteriors(tab === 'Why' && !replay.playing ? nodeKey : null));
  const hidesPrivate = node !== null && node.privateVerdict === null;
  const hasNode = node !== null;
  const { search } = side.run;
  const answer = useMemo(() => (shown === null ? null : answerOf(shown, search)), [shown, search]);
  const state = useMemo(() => detailState(hasNode, detail, hidesPrivate), [hasNode, detail, hidesPrivate]);
  return (
    <NodeInspector
      node={node}
      tree={shown}
      agents={side.run.team.agents}
      grading={side.run.search.grading}
      tab={tab}
      onTab={setTab}
      beliefs={beliefs}
      answer={answer}
      onChoose={choose}
      detail={state}
    />
  );
}

function detailState(hasNode: boolean, detail: Loadable<NodeDetail>, hidesPrivate: boolean): DetailState {
  if (!hasNode) return { kind: 'none' };
  if (detail.kind === 'failed') return { kind: 'failed', message: detail.error.message };
  return detail.kind === 'ready' && hidesPrivate
    ? { kind: 'ready', value: beforeGrading(detail.value) }
    : detail;
}

/** Hides private test results of a node whose private verdict is hidden. */
function beforeGrading(detail: NodeDetail): NodeDetail {
  return { ...detail, privateTests: detail.privateTests.map(({ test }) => ({ test, result: null })) };
}
