import type { Connection, Refusal } from '../../../preload/contract';
import { loginAskedText } from '../../../preload/contract/plans';
import { type SshProblem, sshProblem } from './ssh-problem';

/** Why no shell could be opened over a connection. */
export type ShellFailure =
  /** The server allows no more sessions over one connection (MaxSessions). */
  | { readonly kind: 'full' }
  /** The connection is gone. */
  | { readonly kind: 'cut' }
  /** The login succeeded, but no shell came. `output`: its last output. */
  | { readonly kind: 'no-shell'; readonly output: string; readonly isSilent: boolean };

/** For a host that does not answer heartbeats, or a connection that ssh no longer serves. */
export function connectionLost(host: string): SshProblem {
  return { message: `${host} no longer answers.`, worthRetrying: true };
}

/** For a connection without a login, a prompt or an end. */
export function loginTimedOut(host: string): SshProblem {
  return { message: `${host} accepted the connection but does not answer.`, worthRetrying: true };
}

/** Whether the server ended a login, as it does with one that takes too long. */
export function hostHungUp(transcript: string): boolean {
  return /Connection (closed|reset)|Broken pipe|[Tt]imed? ?out/.test(transcript);
}

/** Why an open connection ended; `transcript` is what ssh wrote since the login. */
export function connectionCut(host: string, transcript: string): SshProblem {
  // Messages about ports without a listener do not concern the connection.
  const lines = transcript.split('\n').filter((line) => !/^\s*channel \d+:/.test(line) && line.trim() !== '');
  return lines.length === 0
    ? { message: `The connection to ${host} was cut.`, worthRetrying: true }
    : { ...sshProblem(host, lines.join('\n'), false), worthRetrying: true };
}

/** Why a successful login gave no usable session. */
export function noShell(host: string, failure: ShellFailure): SshProblem {
  if (failure.kind === 'cut') return connectionCut(host, '');
  if (failure.kind === 'full')
    return {
      message: `${host} accepted the login but allows no session.`,
      hint: 'MaxSessions in its sshd_config must be at least 2; the default is 10.',
      worthRetrying: false,
      refusal: 'no-shell',
    };
  const lastLine = failure.output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return {
    message: failure.isSilent
      ? `${host} accepted the login, but its shell does not answer${lastLine === '' ? '' : ` (output: ${lastLine})`}.`
      : `${host} accepted the login but gave no shell${lastLine === '' ? '' : `: ${lastLine}`}.`,
    hint: `Check that "ssh ${host} true" returns. If not, check the start-up files of the shell there.`,
    worthRetrying: failure.isSilent,
    refusal: 'no-shell',
  };
}

/** The answer to a call that waited for a connection that did not come. `isOver`: the host is no longer used. */
export function notConnected(host: string, state: Connection, isOver: boolean): Refusal {
  const refusal = (message: string, hint?: string): Refusal => ({
    code: 'unreachable',
    message,
    ...(hint === undefined ? {} : { hint }),
  });
  switch (state.kind) {
    case 'unreachable':
      return refusal(state.message, state.hint);
    case 'needs-login':
      return refusal(`${host} is not connected: ${loginAskedText(state)}`, 'Answer in its login terminal.');
    case 'off':
      return isOver
        ? refusal(`No machine uses ${host} any more.`)
        : refusal(`${host} is disconnected.`, 'Connect it first.');
    default:
      return refusal(`${host} is not connected yet. Try again in a moment.`);
  }
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** How long to wait before the next try after so many failures in a row (from 1): 1, 2, 4 ... 60 s. */
export function retryWaitMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
}
