/** Most errors that are logged, since one may repeat with every frame. */
const MOST = 20;

/** Logs errors of the page that nobody handled, the first of a start. */
export function logPageErrors(
  page: Pick<Window, 'addEventListener'>,
  log: (about: string, error: Error) => void,
): void {
  let logged = 0;
  const note = (about: string, error: unknown): void => {
    logged += 1;
    if (logged <= MOST) log(about, error instanceof Error ? error : new Error(String(error)));
  };
  page.addEventListener('error', ({ error, message }) => note('uncaught exception', error ?? message));
  page.addEventListener('unhandledrejection', ({ reason }) => note('unhandled rejection', reason));
}
