import type { Refusal, TerminalView } from '../../preload/contract';

/** What is said of terminals, in one place. */
export const refusals = {
  unknown: (id: string): Refusal => ({
    code: 'not-found',
    message: `There is no terminal ${id} (any more).`,
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
          message: `${view.title} is not connected now, so nothing was typed. Its shell goes on.`,
        },
  cannotClose: (view: TerminalView, why: string): Refusal => ({
    code: 'unreachable',
    message: `The shell of ${view.title} goes on: its machine does not answer. ${why}`,
    hint: 'Close it when the machine is connected again.',
  }),
  stillThere: (view: TerminalView, session: string): Refusal => ({
    code: 'unavailable',
    message: `The shell of ${view.title} could not be ended: its tmux session ${session} is still there.`,
  }),
  lost: 'The connection is gone. The shell goes on there and is attached to again.',
  notYet:
    'The shell has been going on since an earlier start; it is attached to as soon as its machine answers.',
} as const;
