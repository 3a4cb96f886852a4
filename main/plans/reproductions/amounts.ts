import type { Amount, RunView } from '../../../preload/contract/index';
import type { Job } from '../../jobs/index';

/**
 * What a job took since a person or a plan last started it, up to its end or `now` (milliseconds); from `from` on, which
 * is in its last attempt, where that is given. Tokens are counted where they are written, in runs.
 */
export function jobAmount({ view, retriedSeconds }: Job, now: number, from: number | null = null): Amount {
  const { state, startedAt, endedAt, gpuIds, resources } = view;
  const begin = startedAt === null || state.kind === 'queued' ? null : Date.parse(startedAt);
  const end = endedAt === null ? now : Date.parse(endedAt);
  const last = begin === null ? 0 : Math.max(0, (end - Math.max(begin, from ?? begin)) / 1_000);
  const seconds = last + (from === null ? retriedSeconds : 0);
  return { seconds, gpuSeconds: seconds * Math.max(gpuIds.length, resources.gpus), tokens: 0 };
}

/** Prompt and completion tokens of all that a run has written. */
export function tokensOf(view: RunView): number {
  let tokens = 0;
  for (const tree of view.trees.values()) {
    for (const node of tree.nodes) tokens += node.promptTokens + node.completionTokens;
  }
  return tokens;
}

export function nodesOf(view: RunView | undefined): number {
  let nodes = 0;
  for (const tree of view?.trees.values() ?? []) nodes += tree.nodes.length;
  return nodes;
}
