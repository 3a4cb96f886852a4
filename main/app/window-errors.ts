import { endedByError, onUnhandledErrors, type UnhandledSource } from '../base/index';
import type { AppLog } from './app-log';

/** This many different messages are remembered, so that a repeated one is shown once. */
const REMEMBERED = 100;

/**
 * The rule for the window's process, which does many things at once. A rejection that nobody waited for is one failed
 * step in the background: it is logged and shown, and the rest continues. After an exception that nobody caught, anything
 * may be half-done: it is logged and shown, and the process ends. `notify` shows a message in the window; false: there is
 * none yet, so the process ends here too.
 */
export function handleWindowErrors(options: {
  readonly source: UnhandledSource;
  readonly log: AppLog;
  readonly notify: (message: string) => boolean;
  /** Shows the message and ends the process. */
  readonly end: (message: string) => void;
}): void {
  const { source, log, notify, end } = options;
  const notified = new Set<string>();
  let ending = false;
  onUnhandledErrors(source, (kind, error) => {
    log.write('error', kind === 'exception' ? 'uncaught exception' : 'unhandled rejection', error);
    const reason = error instanceof Error ? error.message : String(error);
    if (kind === 'rejection' && !ending) {
      if (notified.has(reason)) return;
      if (notified.size >= REMEMBERED) notified.clear();
      const message = `A step in the background failed because of an error of the workbench. Everything else goes on, and nothing finished is lost. ${detailsIn(log)} What failed: ${reason}`;
      if (notify(message)) {
        notified.add(reason);
        return;
      }
    }
    if (ending) return;
    ending = true;
    end(
      endedByError(
        'The workbench',
        error,
        `Start it again, and resume what was interrupted. ${detailsIn(log)}`,
      ),
    );
  });
}

/** Where users find more about an error. */
export function detailsIn({ path }: Pick<AppLog, 'path'>): string {
  return `The details are in the log: ${path}.`;
}
