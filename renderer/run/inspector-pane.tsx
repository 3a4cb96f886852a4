import { useThrottledValue } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import type { NodeDetail } from '../../preload/contract/node-detail';
import { type Loadable, readyValue, useNodeBeliefs, useNodeDetail } from '../state/index';
import { type DetailState, type InspectorTab, NodeInspector } from './inspector/index';
import { answerOf } from './tree/index';
import { useTrees } from './trees-context';

/** Nobody reads faster while keys are held or the slider moves, and slower still while a replay plays; milliseconds. */
const PACE_MS = 100;
const PLAYING_PACE_MS = 250;

/** The inspector of the node that is looked at, in whichever of two trees. */
export function InspectorPane() {
  const { active: now, replay, place, problemId } = useTrees();
  // Behind the picture: walking from node to node never waits for a program to be shown.
  const active = useDeferredValue(useThrottledValue(now, replay.playing ? PLAYING_PACE_MS : PACE_MS));
  const { side, shown, selected, choose } = active;
  const node = selected === null ? null : (shown?.nodes[selected] ?? null);
  const nodePlace =
    node === null || problemId === null
      ? null
      : { runId: side.run.id, problemId, part: place.part, index: node.index };
  const detail = useNodeDetail(nodePlace);
  const [tab, setTab] = useState<InspectorTab>('Program');
  // They are worked out by searching again, so only for whom looks and stands still.
  const beliefs = readyValue(useNodeBeliefs(tab === 'Why' && !replay.playing ? nodePlace : null));
  const isBlind = node !== null && node.privateVerdict === null;
  const hasNode = node !== null;
  const { search } = side.run;
  const answer = useMemo(() => (shown === null ? null : answerOf(shown, search)), [shown, search]);
  const state = useMemo(() => detailState(hasNode, detail, isBlind), [hasNode, detail, isBlind]);
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

function detailState(hasNode: boolean, detail: Loadable<NodeDetail>, isBlind: boolean): DetailState {
  if (!hasNode) return { kind: 'none' };
  if (detail.kind === 'failed') return { kind: 'failed', message: detail.error.message };
  return detail.kind === 'ready' && isBlind ? { kind: 'ready', value: beforeGrading(detail.value) } : detail;
}

/** A node that is shown without its private verdict is shown without what the private tests said, too. */
function beforeGrading(detail: NodeDetail): NodeDetail {
  return { ...detail, privateTests: detail.privateTests.map(({ test }) => ({ test, result: null })) };
}
