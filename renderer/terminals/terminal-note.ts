import type { Connection } from '../../preload/contract/machine';
import type { TerminalView } from '../../preload/contract/terminal';

/** A note above a terminal. */
export type TerminalNote = {
  readonly tone: 'info' | 'warning';
  readonly message: string;
  readonly help: 'connect' | 'again' | null;
};

/** Exit code of ssh when the connection is lost. */
const CONNECTION_LOST = 255;

export function terminalNote(
  view: TerminalView,
  machine: { readonly name: string; readonly isLocal: boolean; readonly connection: Connection } | null,
): TerminalNote | null {
  const name = machine?.name ?? view.machineId;
  const { state } = view;
  if (state.kind === 'detached') {
    return {
      tone: 'warning',
      message: `${state.why} The screen below is from before.`,
      help: machine === null || machine.connection.kind === 'connected' ? null : 'connect',
    };
  }
  if (state.kind === 'ended') {
    const lostConnection = !view.durable && machine?.isLocal === false && state.code === CONNECTION_LOST;
    return {
      tone: lostConnection ? 'warning' : 'info',
      message: lostConnection
        ? `The connection was lost and the shell ended with it, because ${name} has no tmux. Its output is below.`
        : `The shell ended${state.code === null || state.code === 0 ? '' : ` with exit code ${state.code}`}. Its output is below.`,
      help: 'again',
    };
  }
  if (view.durable || view.purpose === 'login') return null;
  return {
    tone: 'info',
    message:
      machine?.isLocal === true
        ? 'This shell ends when the workbench closes. Install tmux on this computer and open a new terminal to keep shells running.'
        : `This shell ends when the connection drops. Install tmux on ${name} and open a new terminal to keep shells running.`,
    help: null,
  };
}
