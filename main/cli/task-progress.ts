import type { WorkbenchEvent } from '../../preload/contract/index';
import { duration } from './experiment-report';
import { type Host, printStatus } from './host';
import { OVERWRITE } from './terminal-output';

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

/** Where stderr is not a terminal, a line at most this often. */
const PRINT_EVERY_MS = 2_000;

/** "reading test6.jsonl: 120.3 of 512.0 MB, about 9 s left"; of less than a megabyte in kB. */
export function taskLine({ activity, done, total, unit, secondsLeft }: ProgressEvent): string {
  const [size, bytesUnit] = (total ?? done) < 1e6 ? [1e3, 'kB'] : [1e6, 'MB'];
  const amount = (value: number): string => (unit === 'bytes' ? (value / size).toFixed(1) : String(value));
  const of = total === null ? '' : ` of ${amount(total)}`;
  const left = secondsLeft === undefined ? '' : `, about ${duration(secondsLeft)} left`;
  return `${activity}: ${amount(done)}${of} ${unit === 'bytes' ? bytesUnit : unit}${left}`;
}

/** Runs a long command, shows its progress, and cancels it on Ctrl+C. */
export async function withTaskProgress<T>(
  workbench: Host,
  task: ProgressEvent['task'],
  work: () => Promise<T>,
): Promise<T> {
  const onTerminal = process.stderr.isTTY;
  let printedAtMs = Date.now();
  let shown = false;
  let printed = '';
  const listening = workbench.events.on((event) => {
    if (event.kind !== 'progress' || event.task !== task) return;
    if (onTerminal) {
      process.stderr.write(`${OVERWRITE}${taskLine(event)}`);
      shown = true;
    } else if (Date.now() - printedAtMs >= PRINT_EVERY_MS) {
      const line = taskLine(event);
      printedAtMs = Date.now();
      if (line !== printed) printStatus(line);
      printed = line;
    }
  });
  const interrupt = (): void => void workbench.call('task.cancel', { task }, 'terminal');
  process.on('SIGINT', interrupt);
  try {
    return await work();
  } finally {
    listening.dispose();
    process.off('SIGINT', interrupt);
    if (shown) process.stderr.write('\n');
  }
}
