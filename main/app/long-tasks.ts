import type { Refusal, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, failed, type Result } from '../base/index';
import { createTimeLeft } from './time-left';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;
export type LongTask = ProgressEvent['task'];
export type TellProgress = (progress: Omit<ProgressEvent, 'kind' | 'task' | 'secondsLeft'>) => void;

/** Commands that take long: each tells how far it is and can be cancelled. */
export type LongTasks = {
  /** One of a kind at a time; another is refused. */
  readonly run: RunTask;
  /**
   * For what is mostly done at once, and may be asked for several times at once: of a kind the newest alone tells how
   * far it is, and that not at once. Cancelled together.
   */
  readonly runBeside: RunTask;
  /** Nothing happens when no such task runs. */
  readonly cancel: (task: LongTask) => void;
  readonly cancelAll: () => void;
};

type RunTask = <T>(
  task: LongTask,
  work: (signal: AbortSignal, tell: TellProgress) => Promise<Result<T, Refusal>>,
) => Promise<Result<T, Refusal>>;

/** A window draws no more often than that, and every message costs it something. */
const TELL_EVERY_MS = 100;
/** What is done within that need not be told of: it would only flicker. */
const QUIET_MS = 300;

export function createLongTasks(events: Emitter<WorkbenchEvent>, now: () => number): LongTasks {
  /** Of a kind in the order in which they began. */
  const running = new Map<LongTask, readonly AbortController[]>();

  const begun = async <T>(
    task: LongTask,
    work: (signal: AbortSignal, tell: TellProgress) => Promise<Result<T, Refusal>>,
    quietMs: number,
  ): Promise<Result<T, Refusal>> => {
    const controller = new AbortController();
    running.set(task, [...(running.get(task) ?? []), controller]);
    const timeLeft = createTimeLeft(now);
    const since = now();
    let told = Number.NEGATIVE_INFINITY;
    try {
      return await work(controller.signal, (progress) => {
        const secondsLeft = timeLeft(progress);
        if (running.get(task)?.at(-1) !== controller || now() - since < quietMs) return;
        const isLast = progress.total !== null && progress.done >= progress.total;
        if (!isLast && now() - told < TELL_EVERY_MS) return;
        told = now();
        events.emit({
          kind: 'progress',
          task,
          ...progress,
          ...(secondsLeft === null ? {} : { secondsLeft }),
        });
      });
    } finally {
      const left = running.get(task)?.filter((one) => one !== controller) ?? [];
      if (left.length === 0) running.delete(task);
      else running.set(task, left);
    }
  };

  const cancel = (task: LongTask): void => {
    for (const controller of running.get(task) ?? []) controller.abort();
  };

  return {
    run: async (task, work) => {
      if (!running.has(task)) return begun(task, work, 0);
      return failed({
        code: 'conflict',
        message: `There is ${NOUNS[task]} under way already.`,
        hint: 'Wait until it is done, or cancel it.',
      });
    },
    runBeside: (task, work) => begun(task, work, QUIET_MS),
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
  'bundle-writing': 'a bundle being written',
  'bundle-opening': 'a bundle being opened',
};
