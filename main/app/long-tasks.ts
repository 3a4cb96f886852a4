import { setMaxListeners } from 'node:events';
import type { Refusal, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, failed, type Result } from '../base/index';

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
    // Each program, request and file that is under way listens to it.
    setMaxListeners(0, controller.signal);
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
      const rest = running.get(task)?.filter((abortController) => abortController !== controller) ?? [];
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
  'grade-file': 'the grading of a file',
  verify: 'a verification',
  diversity: 'a measurement of diversity',
  doctor: 'a check of a machine',
  'speed-test': 'a speed test',
  'log-search': 'a search in a log',
  'log-download': 'a download of a log',
  'file-download': 'a download of a file',
  comparison: 'a comparison',
  'bundle-writing': 'the writing of a bundle',
  'bundle-opening': 'the opening of a bundle',
  'gpu-day': 'a GPU day',
  'machine-service': 'the start of a background service',
};

/** What a long command is doing, and how much of it is done; `total` is null where it is not known. */
export type TaskProgress = {
  readonly activity: string;
  readonly done: number;
  readonly total: number | null;
};

/** An estimate from less time is mostly chance. */
const NOT_BEFORE_MS = 2_000;

/**
 * Estimates after each report of a long command how many seconds are left of its current phase, by the pace since that
 * phase began; null: not known yet.
 */
function createTimeLeft(now: () => number): (progress: TaskProgress) => number | null {
  let phase: (TaskProgress & { readonly at: number }) | null = null;
  return (progress) => {
    const { activity, done, total } = progress;
    if (phase === null || phase.activity !== activity || phase.total !== total || done < phase.done) {
      phase = { ...progress, at: now() };
      return null;
    }
    const [passed, advanced] = [now() - phase.at, done - phase.done];
    if (total === null || advanced === 0 || passed < NOT_BEFORE_MS) return null;
    return ((passed / 1_000) * Math.max(0, total - done)) / advanced;
  };
}
