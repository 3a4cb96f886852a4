/** An exception that nobody caught, or a promise that was rejected and that nobody waited for. */
export type UnhandledKind = 'exception' | 'rejection';

/** The part of Node's `process` that reports them; without a listener, Node or Electron would decide what happens. */
export type UnhandledSource = {
  readonly on: (
    event: 'uncaughtException' | 'unhandledRejection',
    listener: (error: unknown) => void,
  ) => unknown;
};

/** The part of Node's `process` that a program of one task ends by. */
export type EndingProcess = UnhandledSource & {
  readonly stderr: { readonly write: (text: string) => unknown };
  readonly exit: (code: number) => unknown;
};

/** Listens to both events; replaces what Node and Electron do by themselves. */
export function onUnhandledErrors(
  source: UnhandledSource,
  handle: (kind: UnhandledKind, error: unknown) => void,
): void {
  source.on('uncaughtException', (error) => handle('exception', error));
  source.on('unhandledRejection', (error) => handle('rejection', error));
}

/** The message when something ended by a bug. `program`: its subject, e.g. "The workbench". `next`: what to do. */
export function endedByError(program: string, error: unknown, next: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `${program} ended because of an error of its own: ${reason}\nNothing finished is lost: it was written before the work went on. ${next}`;
}

/**
 * The rule for a program of one task (a terminal command, a trainer, a model server): either error may have left its
 * task half-done, with nobody to wait for the rest, so the program says so and ends with exit code 1. `log` gets the error
 * first; without one the stack follows on stderr, which the starter of the program keeps as its log.
 */
export function endOnUnhandledErrors(
  process: EndingProcess,
  options: { readonly program: string; readonly next: () => string; readonly log?: (error: unknown) => void },
): void {
  const { program, next, log } = options;
  let ending = false;
  onUnhandledErrors(process, (_, error) => {
    // An error while ending must not begin it again: stderr may be what has failed.
    if (!ending) {
      ending = true;
      log?.(error);
      const stack = log === undefined && error instanceof Error ? `\n${error.stack ?? ''}` : '';
      process.stderr.write(`${endedByError(program, error, next())}${stack}\n`);
    }
    process.exit(1);
  });
}
