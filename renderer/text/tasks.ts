import type { WorkbenchEvent } from '../../preload/contract/events';
import { capitalised } from '../../preload/contract/plans/index';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;
export type TaskKind = ProgressEvent['task'];
/** A long command; `progress` is null until main reports some. */
export type Task = {
  readonly kind: TaskKind;
  readonly progress: Omit<ProgressEvent, 'kind' | 'task'> | null;
};

/** Share in [0, 1]; null while the total is not known. */
export function taskShare({ progress }: Task): number | null {
  if (progress === null || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.done / progress.total);
}

/** "Reading test6.jsonl, 120 of 512 MB, about 9 seconds left". */
export function taskLabel({ kind, progress }: Task): string {
  if (progress === null)
    return {
      import: 'Importing',
      regrade: 'Regrading',
      'grade-file': 'Grading a file',
      verify: 'Verifying',
      diversity: 'Comparing programs',
      doctor: 'Checking the machine',
      'speed-test': 'Measuring speed',
      'log-search': 'Searching the log',
      'log-download': 'Saving the log',
      'file-download': 'Saving the file',
      comparison: 'Comparing runs',
      'bundle-writing': 'Writing the bundle',
      'bundle-opening': 'Opening the bundle',
      'gpu-day': 'GPU day',
      'machine-service': 'Background service',
    }[kind];
  const { activity, done, total, unit, secondsLeft } = progress;
  const amount = (value: number): string =>
    unit === 'bytes' ? (value / 1e6).toFixed(value < 1e7 ? 1 : 0) : value.toLocaleString('en');
  const of = total === null ? '' : ` of ${amount(total)}`;
  const left = secondsLeft === undefined ? '' : `, about ${roughTime(secondsLeft)} left`;
  return `${capitalised(activity)}, ${amount(done)}${of} ${unit === 'bytes' ? 'MB' : unit}${left}`;
}

/** "Saved the log: 12.3 MB in /home/user1/run.log". */
export function savedText(
  subject: string,
  { bytes, path }: { readonly bytes: number; readonly path: string },
): string {
  const megabytes = (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
  return `Saved the ${subject}: ${megabytes} MB in ${path}`;
}

function roughTime(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
