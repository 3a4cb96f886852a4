import type { HostRefusal } from '../../../preload/contract';
import { shellWord } from '../../base';
import { plainText } from './ssh-prompt';

/** Why ssh ended, for people. */
export type SshProblem = {
  readonly message: string;
  readonly hint?: string;
  /** False: an automatic retry would only fail again, or lock the account. */
  readonly worthRetrying: boolean;
  /** What the host answered; left out: it does not answer. */
  readonly refusal?: HostRefusal;
};

/**
 * Explains what OpenSSH's client wrote before it ended; its messages are the same in every language setting.
 * `hadPrompt`: it had prompted the user, so its output may contain what was typed.
 */
export function sshProblem(host: string, transcript: string, hadPrompt: boolean): SshProblem {
  const text = plainText(transcript);
  for (const problem of KNOWN_PROBLEMS) {
    const match = problem.pattern.exec(text);
    if (match !== null) return problem.explain(host, match, text);
  }
  const last = text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim();
  if (last === undefined || hadPrompt) {
    return {
      message: hadPrompt
        ? `The login on ${host} was not completed.`
        : `ssh to ${host} ended without a message.`,
      worthRetrying: !hadPrompt,
      ...(hadPrompt
        ? { hint: 'Connect again and answer the prompts.', refusal: 'login-left' }
        : trySshItself(host)),
    };
  }
  return { message: `Cannot reach ${host}: ${sentence(last)}`, worthRetrying: true, ...trySshItself(host) };
}

type KnownProblem = {
  readonly pattern: RegExp;
  readonly explain: (host: string, match: RegExpExecArray, text: string) => SshProblem;
};

const KNOWN_PROBLEMS: readonly KnownProblem[] = [
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    explain: (host, _match, text) => {
      const name = /Host key for (\S+) has changed/.exec(text)?.[1];
      const file = /Offending \S{1,40} key in (.{1,4096}):\d+/.exec(text)?.[1];
      const fingerprint = /key sent by the remote host is\s+(\S+?)\.?\s/.exec(text)?.[1];
      const line = `ssh-keygen ${file === undefined ? '' : `-f ${shellWord(file)} `}-R ${shellWord(name ?? host)}`;
      const shown = fingerprint === undefined ? '' : ` It now shows ${fingerprint}.`;
      return {
        message: `The host key of ${host} has changed: it was reinstalled, or another computer answers in its place.${shown}`,
        hint: `Ask the administrator of ${host} whether the key is right. Only then run: ${line}`,
        worthRetrying: false,
        refusal: 'host-key',
      };
    },
  },
  {
    pattern: /Host key verification failed|No \S+ host key is known for/,
    explain: (host) => ({
      message: `The host key of ${host} was not accepted.`,
      hint: 'Connect again and compare the fingerprint with the right one before you answer yes.',
      worthRetrying: false,
      refusal: 'host-key',
    }),
  },
  {
    pattern: /Too many authentication failures/,
    explain: (host) => ({
      message: `${host} refused the login: too many keys were offered before the right one.`,
      hint: `Set the right key in ~/.ssh/config: under "Host ${host}" add the lines "IdentityFile ..." and "IdentitiesOnly yes".`,
      worthRetrying: false,
      refusal: 'login-refused',
    }),
  },
  {
    pattern: /Permission denied \(([^()]*)\)|Permission denied, please try again/,
    explain: (host, match) => ({
      message: `${host} refused the login${match[1] === undefined ? '' : ` (it accepts: ${match[1]})`}.`,
      hint: `Check the user name and the key. Does "ssh ${host}" work in a terminal? Is the key in the agent (ssh-add -l)?`,
      worthRetrying: false,
      refusal: 'login-refused',
    }),
  },
  {
    pattern:
      /(Bad owner or permissions on .*|terminating, \d+ bad configuration options?|Bad configuration option.*)/,
    explain: (host, match) => ({
      message: `ssh does not accept its configuration: ${sentence(match[1] ?? '')}`,
      hint: `Fix it; check it with "ssh -G ${host}".`,
      worthRetrying: false,
    }),
  },
  {
    pattern: /execvp\(\d\) failed|ENOENT/,
    explain: () => ({
      message: 'ssh is not installed on this computer, so no other machine can be reached.',
      hint: "Install OpenSSH's client (Debian and Ubuntu: sudo apt install openssh-client).",
      worthRetrying: false,
    }),
  },
  {
    pattern: /Could not resolve hostname (\S+):/,
    explain: (host, match) => ({
      message: `Cannot reach ${host}: there is no host named ${match[1]}.`,
      hint: 'Check the name, and that this computer is in the right network, e.g. the VPN of the lab.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /open failed: connect failed: (.*)/,
    explain: (host, match) => ({
      message: `Cannot reach ${host}: the jump host cannot connect to it (${(match[1] ?? '').trim()}).`,
      hint: 'The jump host is up; the machine behind it or its ssh server may be down.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /administratively prohibited|stdio forwarding failed/,
    explain: (host) => ({
      message: `Cannot reach ${host}: the jump host refuses to forward the connection.`,
      hint: 'It must allow forwarding (AllowTcpForwarding in its sshd_config), and the target must be up.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /Timeout, server \S+ not responding/,
    explain: (host) => ({ message: `${host} no longer answers.`, worthRetrying: true }),
  },
  {
    pattern: /(Connection|Operation|port \d+) timed out/,
    explain: (host) => ({
      message: `${host} does not answer.`,
      hint: 'It may be off, or a firewall blocks it. Check that the VPN is on.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /Connection refused/,
    explain: (host) => ({
      message: `${host} is up, but no ssh server answers.`,
      hint: 'It may still be starting. Check the port in ~/.ssh/config.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /(No route to host|Network is unreachable|Host is down)/,
    explain: (host, match) => ({
      message: `Cannot reach ${host}: ${sentence((match[1] ?? '').toLowerCase())}`,
      hint: 'Check that this computer is in the right network.',
      worthRetrying: true,
    }),
  },
  {
    pattern: /(Connection closed|Connection reset|Broken pipe|kex_exchange_identification)/i,
    explain: (host) => ({ message: `${host} closed the connection.`, worthRetrying: true }),
  },
];

function trySshItself(host: string): { readonly hint: string } {
  return { hint: `Try "ssh ${host}" in a terminal.` };
}

function sentence(text: string): string {
  const trimmed = text.trim().slice(0, 300);
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
