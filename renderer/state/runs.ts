import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import { foldRun, type RunView, treeKey } from '../../preload/contract/folds/index';
import type { RunEvent } from '../../preload/contract/run-events';
import type { WorkbenchClient } from '../workbench-client';
import type { Loadable } from './loadable';

export type Runs = {
  /** null: the run has not started. */
  readonly store: StoreApi<ReadonlyMap<string, Loadable<RunView | null>>>;
  /** Keeps this run loaded and current until the returned function is called. */
  readonly subscribe: (runId: string) => () => void;
  readonly apply: (runId: string, events: readonly RunEvent[]) => void;
  /** Its journal was replaced: the folded state is discarded. */
  readonly reload: (runId: string) => void;
};

/** Runs without subscribers that stay cached. */
const CACHE_SIZE = 12;

/** Events per request: the page's thread copies what main sends, about 30 ms for this many. */
const PAGE_SIZE = 1_500;

/** True if an event refers to a node that the view lacks: an earlier event was missed. */
function hasGap(view: RunView | null, events: readonly RunEvent[]): boolean {
  return events.some((event) => {
    if (event.kind === 'run-started') return false;
    if (view === null) return true;
    if (event.kind !== 'node-added') return false;
    const tree = view.trees.get(treeKey(event.problemId, event.part));
    return tree === undefined || tree.nodes.length <= event.index;
  });
}

/**
 * Runs as folds of their events: first a snapshot, page by page, then events from main. Events that arrive while it
 * loads are applied afterwards; the fold ignores duplicates. A gap triggers a new snapshot.
 */
export function createRuns(client: WorkbenchClient): Runs {
  const store = createStore<ReadonlyMap<string, Loadable<RunView | null>>>(() => new Map());
  const subscribers = new Map<string, number>();
  const waiting = new Map<string, RunEvent[]>();

  const put = (runId: string, value: Loadable<RunView | null> | null): void => {
    const next = new Map(store.getState());
    next.delete(runId);
    if (value !== null) next.set(runId, value);
    let surplus = next.size - subscribers.size - CACHE_SIZE;
    for (const old of next.keys()) {
      if (surplus <= 0) break;
      if (subscribers.has(old) || old === runId) continue;
      next.delete(old);
      surplus -= 1;
    }
    store.setState(next, true);
  };

  const load = async (runId: string): Promise<void> => {
    if (waiting.has(runId)) return;
    const since: RunEvent[] = [];
    waiting.set(runId, since);
    let view: RunView | null = null;
    let answer = await client.call('run.events', { runId, from: 0, most: PAGE_SIZE });
    for (let from = PAGE_SIZE; answer.ok; from += PAGE_SIZE) {
      view = foldRun(view, answer.value);
      if (answer.value.length < PAGE_SIZE) break;
      answer = await client.call('run.events', { runId, from, most: PAGE_SIZE });
    }
    waiting.delete(runId);
    if (answer.ok) put(runId, { kind: 'ready', value: foldRun(view, since) });
    // A run that has not started has no journal: it is empty, not failed.
    else if (answer.error.code === 'not-found') put(runId, { kind: 'ready', value: foldRun(null, since) });
    else put(runId, { kind: 'failed', error: answer.error });
  };

  return {
    store,
    subscribe: (runId) => {
      subscribers.set(runId, (subscribers.get(runId) ?? 0) + 1);
      const now = store.getState().get(runId);
      if (now === undefined || now.kind === 'failed') void load(runId);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (subscribers.get(runId) ?? 1) - 1;
        if (left === 0) subscribers.delete(runId);
        else subscribers.set(runId, left);
      };
    },
    apply: (runId, events) => {
      const since = waiting.get(runId);
      if (since !== undefined) {
        since.push(...events);
        return;
      }
      const now = store.getState().get(runId);
      if (now === undefined) return; // it is not open in any screen: the snapshot will hold these events
      if (now.kind !== 'ready') {
        void load(runId);
        return;
      }
      const value = foldRun(now.value, events);
      put(runId, { kind: 'ready', value });
      if (hasGap(value, events)) void load(runId);
    },
    reload: (runId) => {
      if (subscribers.has(runId)) void load(runId);
      else put(runId, null);
    },
  };
}

/** Main sends one event per message; joined by run, a batch is folded once per run instead of once per event. */
export function joinRunEvents(batch: readonly WorkbenchEvent[]): WorkbenchEvent[] {
  const joined: WorkbenchEvent[] = [];
  const byRun = new Map<string, RunEvent[]>();
  for (const event of batch) {
    if (event.kind !== 'run-events') {
      joined.push(event);
      continue;
    }
    const earlier = byRun.get(event.runId);
    if (earlier !== undefined) {
      earlier.push(...event.events);
      continue;
    }
    const events = [...event.events];
    byRun.set(event.runId, events);
    joined.push({ ...event, events });
  }
  return joined;
}
