import type { CommandName, Payload, Value } from '../preload/contract/commands/index';
import type { Answer } from '../preload/contract/refusal';
import type { WindowApi } from '../preload/contract/window-api';

declare global {
  interface Window {
    /** Put there by the preload script; absent when the page is opened in a browser. */
    readonly workbench?: WindowApi;
  }
}

export type WorkbenchClient = WindowApi;

/** The way to main, or null when this page was not opened by the workbench. The only reader of `window.workbench`. */
export function clientOfWindow(): WorkbenchClient | null {
  return window.workbench === undefined ? null : catchingFailures(window.workbench);
}

/** A client whose calls always answer: a call that main could not even receive is a refusal too. */
export function catchingFailures(api: WindowApi): WorkbenchClient {
  const call = async <N extends CommandName>(name: N, payload: Payload<N>): Promise<Answer<Value<N>>> => {
    try {
      return await api.call(name, payload);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return {
        ok: false,
        error: {
          code: 'internal',
          message: `The command ${name} could not be sent: ${reason}`,
          hint: 'Restart the workbench. Saved work is not lost.',
        },
      };
    }
  };
  return { call, onEvents: api.onEvents };
}
