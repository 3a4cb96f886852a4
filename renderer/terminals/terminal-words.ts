import type { Connection } from '../../preload/contract/machine';
import type { TerminalView } from '../../preload/contract/terminal';

/** What stands above a terminal that needs a word; null: all is as one would think. */
export type TerminalNote = {
  readonly tone: 'info' | 'trouble';
  readonly message: string;
  readonly help: 'connect' | 'again' | null;
};

/** What a shell of ssh ends with when its connection is cut. */
const CUT = 255;

export function terminalNote(
  view: TerminalView,
  machine: { readonly name: string; readonly isLocal: boolean; readonly connection: Connection } | null,
): TerminalNote | null {
  const name = machine?.name ?? view.machineId;
  const { state } = view;
  if (state.kind === 'detached') {
    return {
      tone: 'trouble',
      message: `${state.why} What is shown is as it was.`,
      help: machine === null || machine.connection.kind === 'connected' ? null : 'connect',
    };
  }
  if (state.kind === 'ended') {
    const wasCut = !view.durable && machine?.isLocal === false && state.code === CUT;
    return {
      tone: wasCut ? 'trouble' : 'info',
      message: wasCut
        ? `The connection is gone, and the shell with it: without tmux on ${name} there is nothing to come back to. What it wrote is below.`
        : `The shell has ended${state.code === null || state.code === 0 ? '' : ` with exit code ${state.code}`}. What it wrote is below.`,
      help: 'again',
    };
  }
  if (view.durable || view.purpose === 'login') return null;
  return {
    tone: 'info',
    message:
      machine?.isLocal === true
        ? 'This shell ends with the workbench. With tmux on this computer it would go on: install it, then open a new terminal.'
        : `This shell ends with the connection. With tmux on ${name} it would go on there: have it installed, then open a new terminal.`,
    help: null,
  };
}
