import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Answer } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;
export type TaskKind = ProgressEvent['task'];
/** How far a long command is; `progress` is null until main says something. */
export type Task = {
  readonly kind: TaskKind;
  readonly progress: Omit<ProgressEvent, 'kind' | 'task'> | null;
};

export type Tasks = {
  readonly store: StoreApi<ReadonlyMap<TaskKind, Task>>;
  /** Does a long command while its progress is shown. */
  readonly run: <T>(kind: TaskKind, work: () => Promise<Answer<T>>) => Promise<Answer<T>>;
  /**
   * The same of what is mostly done at once, and may be asked for several times at once: it is shown when main first says
   * how far it is, until the last of its kind is done.
   */
  readonly runBeside: <T>(kind: TaskKind, work: () => Promise<Answer<T>>) => Promise<Answer<T>>;
  readonly told: (event: ProgressEvent) => void;
  readonly cancel: (kind: TaskKind) => Promise<void>;
};

export function createTasks(client: WorkbenchClient): Tasks {
  const store = createStore<ReadonlyMap<TaskKind, Task>>(() => new Map());
  const beside = new Map<TaskKind, number>();
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
    runBeside: async (kind, work) => {
      beside.set(kind, (beside.get(kind) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (beside.get(kind) ?? 1) - 1;
        beside.set(kind, left);
        if (left === 0) set(kind, null);
      }
    },
    told: ({ kind: _, task, ...progress }) => {
      // A command that the terminal gave, or one that has just ended, has no place here.
      if (store.getState().has(task) || (beside.get(task) ?? 0) > 0) set(task, { kind: task, progress });
    },
    cancel: async (task) => {
      await client.call('task.cancel', { task });
    },
  };
}

/** Share in [0, 1]; null while nobody knows the whole. */
export function taskShare({ progress }: Task): number | null {
  if (progress === null || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.done / progress.total);
}

/** "Reading test6.jsonl, 120 of 512 MB, about 9 seconds left". */
export function taskWords({ kind, progress }: Task): string {
  if (progress === null)
    return {
      import: 'Importing',
      regrade: 'Grading again',
      verify: 'Verifying',
      diversity: 'Comparing programs',
      doctor: 'Checking the machine',
      'speed-test': 'Measuring speed',
      'log-search': 'Searching the log',
      'log-download': 'Saving the log',
      comparison: 'Comparing runs',
      'bundle-writing': 'Writing the bundle',
      'bundle-opening': 'Opening the bundle',
    }[kind];
  const { what, done, total, unit, secondsLeft } = progress;
  const amount = (value: number): string =>
    unit === 'bytes' ? (value / 1e6).toFixed(value < 1e7 ? 1 : 0) : value.toLocaleString('en');
  const of = total === null ? '' : ` of ${amount(total)}`;
  const left = secondsLeft === undefined ? '' : `, about ${roughTime(secondsLeft)} left`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}, ${amount(done)}${of} ${unit === 'bytes' ? 'MB' : unit}${left}`;
}

function roughTime(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
