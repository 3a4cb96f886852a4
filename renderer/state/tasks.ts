import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Answer } from '../../preload/contract/refusal';
import type { Task, TaskKind } from '../text/tasks';
import type { WorkbenchClient } from '../workbench-client';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

export type Tasks = {
  readonly store: StoreApi<ReadonlyMap<TaskKind, Task>>;
  /** Does a long command while its progress is shown. */
  readonly run: <T>(kind: TaskKind, work: () => Promise<Answer<T>>) => Promise<Answer<T>>;
  /**
   * The same of what is mostly done at once, and may be asked for several times at once: it is shown when main first says
   * how far it is, until the last of its kind is done.
   */
  readonly runConcurrent: <T>(kind: TaskKind, work: () => Promise<Answer<T>>) => Promise<Answer<T>>;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly cancel: (kind: TaskKind) => Promise<void>;
};

export function createTasks(client: WorkbenchClient): Tasks {
  const store = createStore<ReadonlyMap<TaskKind, Task>>(() => new Map());
  const concurrent = new Map<TaskKind, number>();
  const set = (kind: TaskKind, task: Task | null): void => {
    if (task === null && !store.getState().has(kind)) return;
    const next = new Map(store.getState());
    if (task === null) next.delete(kind);
    else next.set(kind, task);
    store.setState(next, true);
  };
  return {
    store,
    run: async (kind, work) => {
      set(kind, { kind, progress: null });
      try {
        return await work();
      } finally {
        set(kind, null);
      }
    },
    runConcurrent: async (kind, work) => {
      concurrent.set(kind, (concurrent.get(kind) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (concurrent.get(kind) ?? 1) - 1;
        concurrent.set(kind, left);
        if (left === 0) set(kind, null);
      }
    },
    onProgress: ({ kind: _, task, ...progress }) => {
      // A command that the terminal gave, or one that has just ended, has no place here.
      if (store.getState().has(task) || (concurrent.get(task) ?? 0) > 0) set(task, { kind: task, progress });
    },
    cancel: async (task) => {
      await client.call('task.cancel', { task });
    },
  };
}
