import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Answer } from '../../preload/contract/refusal';
import type { Task, TaskKind } from '../text/tasks';
import type { WorkbenchClient } from '../workbench-client';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

export type Tasks = {
  readonly store: StoreApi<ReadonlyMap<TaskKind, Task>>;
  /** Runs a long command and shows its progress. */
  readonly run: <T>(kind: TaskKind, work: () => Promise<Answer<T>>) => Promise<Answer<T>>;
  /**
   * The same for commands that are usually fast and may run several times at once: shown once main reports progress,
   * until the last of its kind is done.
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
      // Progress of a command of the CLI, or of one that has just ended, is not shown.
      if (store.getState().has(task) || (concurrent.get(task) ?? 0) > 0) set(task, { kind: task, progress });
    },
    cancel: async (task) => {
      await client.call('task.cancel', { task });
    },
  };
}
