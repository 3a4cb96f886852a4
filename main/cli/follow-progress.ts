import type { ExperimentView, Refusal, ReproductionView } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';
import { EXIT, type Host, printStatus, withResumeHint } from './host';
import { progressLog } from './progress-log';
import { OVERWRITE } from './terminal-output';

const POLL_EVERY_MS = 500;
const PRINT_EVERY_MS = 10_000;

/**
 * The state of an experiment or reproduction in a list. Where no window or service is open nothing starts its next steps:
 * the workbench of this command closes with it.
 */
export function planStateText(
  { outlivesCommand = false }: Host,
  state: ExperimentView['state'] | ReproductionView['state'],
): string {
  if (state.kind === 'failed') return `failed: ${state.message}`;
  if (state.kind === 'running' && !outlivesCommand) return 'interrupted, goes on when a workbench is opened';
  return state.kind;
}

/**
 * Says that it shows the progress of long work until that ends, and does: on a terminal one line that changes, elsewhere a
 * line where something has changed, at most every ten seconds. Ctrl+C pauses it; a second one ends at once, and the trainings that run continue.
 */
export async function followProgress<View>(work: {
  readonly poll: () => Promise<Result<View, Refusal>>;
  readonly isRunning: (view: View) => boolean;
  readonly line: (view: View, columns: number) => string;
  readonly pause: () => void;
  /** The command that follows it again. */
  readonly again: string;
}): Promise<Result<View, Refusal>> {
  const onTerminal = process.stderr.isTTY;
  const log = progressLog(PRINT_EVERY_MS, () => performance.now());
  let isAnnounced = false;
  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(EXIT.stopped);
    interrupted = true;
    printStatus('\nPausing; press Ctrl+C again to leave at once (trainings that run continue).');
    work.pause();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    for (;;) {
      const view = await work.poll();
      if (!view.ok) {
        const hint = `It goes on when a workbench is opened. Open one and follow it with: ${work.again}`;
        return failed(withResumeHint(view.error, hint));
      }
      if (!work.isRunning(view.value)) return view;
      if (!isAnnounced) printStatus('This shows its progress until it ends; Ctrl+C pauses it.');
      isAnnounced = true;
      const line = work.line(view.value, process.stderr.columns ?? Number.POSITIVE_INFINITY);
      if (onTerminal) process.stderr.write(`${OVERWRITE}${line}`);
      else log(line);
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
  } finally {
    if (onTerminal) process.stderr.write('\n');
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
