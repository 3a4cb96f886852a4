import type { CommandName, Payload, Value } from './commands/index';
import type { WorkbenchEvent } from './events';
import type { Answer } from './refusal';

/** What the preload script puts on `window.workbench`; nothing else of Electron reaches the page. */
export type WindowApi = {
  readonly call: <N extends CommandName>(name: N, payload: Payload<N>) => Promise<Answer<Value<N>>>;
  /** Batches of events from now on; the function given back ends it. */
  readonly onEvents: (listener: (batch: readonly WorkbenchEvent[]) => void) => () => void;
};
