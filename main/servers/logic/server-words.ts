import type { ServerState } from '../../../preload/contract';

/** Why a server cannot be asked, as the end of a sentence. */
export function whyNotReady(state: ServerState): string {
  if (state.kind === 'failed') return state.message;
  return state.kind === 'starting' ? `it is not ready (${state.stage})` : 'it was stopped';
}

/** Without the lines of a log that follow. */
export function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
