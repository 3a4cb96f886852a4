import type { WorkbenchEvent } from '../../preload/contract/index';
import { duration } from './experiment-report';
import type { Host } from './host';
import { progressLog } from './progress-log';
import { OVERWRITE } from './terminal-output';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

/** Where stderr is not a terminal, a line at most this often. */
const PRINT_EVERY_MS = 2_000;

/** "reading test6.jsonl: 120.3 of 512.0 MB, about 9 s left"; of less than a megabyte in kB. */
export function taskLine({ activity, done, total, unit, secondsLeft }: ProgressEvent): string {
  const [size, bytesUnit] = (total ?? done) < 1e6 ? [1e3, 'kB'] : [1e6, 'MB'];
  const amount = (value: number): string => (unit === 'bytes' ? (value / size).toFixed(1) : String(value));
  const of = total === null ? '' : ` of ${amount(total)}`;
  const left = secondsLeft === undefined || secondsLeft < 0.5 ? '' : `, about ${duration(secondsLeft)} left`;
  return `${activity}: ${amount(done)}${of} ${unit === 'bytes' ? bytesUnit : unit}${left}`;
}

/**
 * Runs a long command, shows its progress while it lasts, and cancels it on Ctrl+C. `inLogs`: also where stderr is not a
 * terminal; not of one whose result names all that was done.
 */
export async function withTaskProgress<T>(
  workbench: Host,
  task: ProgressEvent['task'],
  work: () => Promise<T>,
  { inLogs = true } = {},
): Promise<T> {
  const onTerminal = process.stderr.isTTY;
  let shown = false;
  const log = progressLog(PRINT_EVERY_MS, Date.now, Date.now());
  const listening = workbench.events.on((event) => {
    if (event.kind !== 'progress' || event.task !== task) return;
    if (onTerminal) {
      process.stderr.write(`${OVERWRITE}${taskLine(event)}`);
      shown = true;
    } else if (inLogs) log(taskLine(event));
  });
  const interrupt = (): void => void workbench.call('task.cancel', { task }, 'terminal');
  process.on('SIGINT', interrupt);
  try {
    return await work();
  } finally {
    listening.dispose();
    process.off('SIGINT', interrupt);
    if (shown) process.stderr.write(OVERWRITE);
  }
}
