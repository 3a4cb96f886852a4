import { ok } from '../../base/index';
import type { AppLog } from '../app-log';
import type { Diagnostics } from '../diagnostics/create-diagnostics';
import type { Handlers } from '../dispatch';

/** The report of a problem, and errors of the window's page for the log. */
export function diagnosticsHandlers(deps: {
  readonly diagnostics: Diagnostics;
  readonly log: Pick<AppLog, 'write'>;
}): Handlers {
  const { diagnostics, log } = deps;
  return {
    'diagnostics.part': async ({ part, machineId }) => ok(await diagnostics.part(part, machineId)),
    'diagnostics.hide': async ({ text }) => ok({ text: await diagnostics.hide(text) }),
    'diagnostics.write': (file) => diagnostics.write(file),
    'diagnostics.log': async ({ about, error }) => {
      log.write('error', `window, ${about}`, error);
      return ok(null);
    },
  };
}
