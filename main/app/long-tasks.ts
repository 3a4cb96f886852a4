import type { Refusal, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, failed, type Result } from '../base/index';
import { createTimeLeft } from './time-left';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;
export type LongTask = ProgressEvent['task'];
export type ReportProgress = (progress: Omit<ProgressEvent, 'kind' | 'task' | 'secondsLeft'>) => void;

/** Commands that take long: each reports its progress and can be cancelled. */
export type LongTasks = {
  /** One of a kind at a time; another is refused. */
  readonly run: RunTask;
  /**
   * For tasks that are usually short and may run several times at once: only the newest of a kind reports progress, and
   * only after a moment. They are cancelled together.
   */
  readonly runShared: RunTask;
  /** Does nothing when no such task runs. */
  readonly cancel: (task: LongTask) => void;
  readonly cancelAll: () => void;
};

type RunTask = <T>(
  task: LongTask,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<Result<T, Refusal>>,
) => Promise<Result<T, Refusal>>;

/** A window draws no more often than this, and every message costs time. */
const REPORT_EVERY_MS = 100;
/** A task that is done within this reports nothing: it would only flicker. */
const QUIET_MS = 300;

export function createLongTasks(events: Emitter<WorkbenchEvent>, now: () => number): LongTasks {
  /** By kind, in the order in which they started. */
  const running = new Map<LongTask, readonly AbortController[]>();

  const start = async <T>(
    task: LongTask,
    work: (signal: AbortSignal, report: ReportProgress) => Promise<Result<T, Refusal>>,
    quietMs: number,
  ): Promise<Result<T, Refusal>> => {
    const controller = new AbortController();
    running.set(task, [...(running.get(task) ?? []), controller]);
    const timeLeft = createTimeLeft(now);
    const since = now();
    let reportedAt = Number.NEGATIVE_INFINITY;
    try {
      return await work(controller.signal, (progress) => {
        const secondsLeft = timeLeft(progress);
        if (running.get(task)?.at(-1) !== controller || now() - since < quietMs) return;
        const isLast = progress.total !== null && progress.done >= progress.total;
        if (!isLast && now() - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = now();
        events.emit({
          kind: 'progress',
          task,
          ...progress,
          ...(secondsLeft === null ? {} : { secondsLeft }),
        });
      });
    } finally {
      const rest = running.get(task)?.filter((one) => one !== controller) ?? [];
      if (rest.length === 0) running.delete(task);
      else running.set(task, rest);
    }
  };

  const cancel = (task: LongTask): void => {
    for (const controller of running.get(task) ?? []) controller.abort();
  };

  return {
    run: async (task, work) => {
      if (!running.has(task)) return start(task, work, 0);
      return failed({
        code: 'conflict',
        message: `Cannot start: ${NOUNS[task]} is already running.`,
        hint: 'Wait until it is done, or cancel it.',
      });
    },
    runShared: (task, work) => start(task, work, QUIET_MS),
    cancel,
    cancelAll: () => {
      for (const task of running.keys()) cancel(task);
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
  comparison: 'a comparison',
  'bundle-writing': 'the writing of a bundle',
  'bundle-opening': 'the opening of a bundle',
};
