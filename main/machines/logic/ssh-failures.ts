import { type SshProblem, sshProblem } from './ssh-problem';

/** Why a shell could not be opened over a connection. */
export type ShellFailure =
  /** The server allows no more sessions over one connection (MaxSessions). */
  | { readonly kind: 'full' }
  /** The connection is gone. */
  | { readonly kind: 'cut' }
  /** It was logged in, but no shell came. `said`: its last words. */
  | { readonly kind: 'no-shell'; readonly said: string; readonly isSilent: boolean };

/** It did not answer signs of life, or the connection is not served any more. */
export function connectionLost(host: string): SshProblem {
  return { message: `${host} does not answer any more.`, worthRetrying: true };
}

/** Neither a login nor a question nor an end came. */
export function loginTimedOut(host: string): SshProblem {
  return { message: `${host} does not answer: it took the connection and fell silent.`, worthRetrying: true };
}

/** Whether the server ended a login, as it does with one that takes too long. */
export function isHungUpOn(transcript: string): boolean {
  return /Connection (closed|reset)|Broken pipe|[Tt]imed? ?out/.test(transcript);
}

/** Why a connection that was there ended; `transcript` is what ssh wrote since the login. */
export function connectionCut(host: string, transcript: string): SshProblem {
  // Ports that were asked for and not there say nothing of the connection.
  const words = transcript.split('\n').filter((line) => !/^\s*channel \d+:/.test(line) && line.trim() !== '');
  return words.length === 0
    ? { message: `The connection to ${host} was cut.`, worthRetrying: true }
    : { ...sshProblem(host, words.join('\n'), false), worthRetrying: true };
}

/** Why a login was of no use. */
export function noShell(host: string, trouble: ShellFailure): SshProblem {
  if (trouble.kind === 'cut') return connectionCut(host, '');
  if (trouble.kind === 'full')
    return {
      message: `${host} took the login and allows no session.`,
      hint: 'MaxSessions in its sshd_config has to be 2 or more; 10 is usual.',
      worthRetrying: false,
    };
  const said = trouble.said.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return {
    message: trouble.isSilent
      ? `${host} took the login, but its shell does not answer${said === '' ? '' : ` (it said: ${said})`}.`
      : `${host} took the login and gave no shell${said === '' ? '' : `: ${said}`}.`,
    hint: `Does "ssh ${host} true" come back? If not, look at what the start-up files of the shell there do.`,
    worthRetrying: trouble.isSilent,
  };
}
