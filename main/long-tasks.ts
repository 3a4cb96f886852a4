import type { Refusal, WorkbenchEvent } from '../preload/contract/index';
import { type Emitter, failed, type Result } from './base/index';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;
export type LongTask = ProgressEvent['task'];
export type TellProgress = (progress: Omit<ProgressEvent, 'kind' | 'task'>) => void;

/** Commands that take long: one of a kind at a time, each tells how far it is and can be cancelled. */
export type LongTasks = {
  readonly run: <T>(
    task: LongTask,
    work: (signal: AbortSignal, tell: TellProgress) => Promise<Result<T, Refusal>>,
  ) => Promise<Result<T, Refusal>>;
  /** Nothing happens when no such task runs. */
  readonly cancel: (task: LongTask) => void;
  readonly cancelAll: () => void;
};

/** A window draws no more often than that, and every message costs it something. */
const TELL_EVERY_MS = 100;

export function createLongTasks(events: Emitter<WorkbenchEvent>, now: () => number): LongTasks {
  const running = new Map<LongTask, AbortController>();
  return {
    run: async (task, work) => {
      if (running.has(task)) {
        return failed({
          code: 'conflict',
          message: `There is ${NOUNS[task]} under way already.`,
          hint: 'Wait until it is done, or cancel it.',
        });
      }
      const controller = new AbortController();
      running.set(task, controller);
      let told = Number.NEGATIVE_INFINITY;
      try {
        return await work(controller.signal, (progress) => {
          const isLast = progress.total !== null && progress.done >= progress.total;
          if (!isLast && now() - told < TELL_EVERY_MS) return;
          told = now();
          events.emit({ kind: 'progress', task, ...progress });
        });
      } finally {
        running.delete(task);
      }
    },
    cancel: (task) => running.get(task)?.abort(),
    cancelAll: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}

const NOUNS: Readonly<Record<LongTask, string>> = {
  import: 'an import',
  regrade: 'a regrade',
  verify: 'a verification',
  diversity: 'a measurement of diversity',
  doctor: 'a check of a machine',
  'speed-test': 'a speed test',
  'log-search': 'a search in a log',
  'log-download': 'a download of a log',
};
