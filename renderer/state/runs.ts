import { createStore, type StoreApi } from 'zustand/vanilla';
import { foldRun, type RunView, treeKey } from '../../preload/contract/folds/index';
import type { RunEvent } from '../../preload/contract/run-events';
import type { WorkbenchClient } from '../workbench-client';
import type { Loadable } from './loadable';

export type Runs = {
  /** null: nothing of the run has happened yet. */
  readonly store: StoreApi<ReadonlyMap<string, Loadable<RunView | null>>>;
  /** Keeps this run folded and current until the function given back is called. */
  readonly subscribe: (runId: string) => () => void;
  readonly apply: (runId: string, events: readonly RunEvent[]) => void;
  /** Its journal is another one now: what was folded of it is worth nothing. */
  readonly reload: (runId: string) => void;
};

/** Runs that nobody looks at any more and are still kept folded. */
const CACHE_SIZE = 12;

/** Events asked for at a time: what crosses over from main is copied by the page's thread, and this takes it some 30 ms. */
const PAGE_SIZE = 1_500;

/** Is there a node of these events that the view has no place for? Then an event before it was missed. */
export function hasGap(view: RunView | null, events: readonly RunEvent[]): boolean {
  return events.some((event) => {
    if (event.kind === 'run-started') return false;
    if (view === null) return true;
    if (event.kind !== 'node-added') return false;
    const tree = view.trees.get(treeKey(event.problemId, event.part));
    return tree === undefined || tree.nodes.length <= event.index;
  });
}

/**
 * Runs as folds of their events: a snapshot first, page by page, then what main tells. Events that arrive while it
 * is on its way wait for it; the fold leaves out what both hold. A gap asks for a new snapshot.
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
    // A run that has not begun has no journal: that is no failure, it is empty.
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
      if (now === undefined) return; // nobody has looked at it: the snapshot will hold these events
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
