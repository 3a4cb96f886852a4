import type { Refusal, TerminalView } from '../../preload/contract';

/** Messages about terminals. */
export const refusals = {
  unknown: (id: string): Refusal => ({
    code: 'not-found',
    message: `There is no terminal ${id}. It may have been closed.`,
  }),
  cannotType: (view: TerminalView): Refusal =>
    view.state.kind === 'ended'
      ? {
          code: 'conflict',
          message: `The shell of ${view.title} has ended, so nothing was typed.`,
          hint: 'Open a new terminal.',
        }
      : {
          code: 'unreachable',
          message: `${view.title} is not connected now, so nothing was typed. Its shell keeps running.`,
        },
  cannotClose: (view: TerminalView, why: string): Refusal => ({
    code: 'unreachable',
    message: `The shell of ${view.title} keeps running, because its machine does not answer. ${why}`,
    hint: 'Close it when the machine is connected again.',
  }),
  stillThere: (view: TerminalView, session: string): Refusal => ({
    code: 'unavailable',
    message: `Cannot end the shell of ${view.title}: its tmux session ${session} still exists.`,
  }),
  lost: 'The connection is gone. The shell keeps running there; the workbench reattaches when it can.',
  notYet:
    'This shell is from an earlier start of the app; the workbench reattaches when its machine answers.',
} as const;
