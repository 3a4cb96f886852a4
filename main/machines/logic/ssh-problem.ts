import { shellWord } from '../../base';
import { plainText } from './ssh-prompt';

/** Why ssh ended, for a person. */
export type SshProblem = {
  readonly message: string;
  readonly hint?: string;
  /** False: trying again by itself would only fail again, or lock the account. */
  readonly worthRetrying: boolean;
};

/**
 * Understands what OpenSSH's client wrote before it ended; its words are the same in every language setting.
 * `wasAsked`: it had asked the user for something, so that what it wrote may hold what was typed.
 */
export function sshProblem(host: string, transcript: string, wasAsked: boolean): SshProblem {
  const text = plainText(transcript);
  for (const known of KNOWN_PROBLEMS) {
    const match = known.words.exec(text);
    if (match !== null) return known.trouble(host, match, text);
  }
  const last = text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim();
  if (last === undefined || wasAsked) {
    return {
      message: wasAsked ? `The login on ${host} was not finished.` : `ssh to ${host} ended without a word.`,
      worthRetrying: !wasAsked,
      ...(wasAsked ? { hint: 'Connect again and answer what it asks.' } : trySshItself(host)),
    };
  }
  return { message: `${host} is not reached: ${sentence(last)}`, worthRetrying: true, ...trySshItself(host) };
}

type KnownProblem = {
  readonly words: RegExp;
  readonly trouble: (host: string, match: RegExpExecArray, text: string) => SshProblem;
};

const KNOWN_PROBLEMS: readonly KnownProblem[] = [
  {
    words: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    trouble: (host, _match, text) => {
      const name = /Host key for (\S+) has changed/.exec(text)?.[1];
      const file = /Offending \S+ key in (.+):\d+/.exec(text)?.[1];
      const fingerprint = /key sent by the remote host is\s+(\S+?)\.?\s/.exec(text)?.[1];
      const line = `ssh-keygen ${file === undefined ? '' : `-f ${shellWord(file)} `}-R ${shellWord(name ?? host)}`;
      const shown = fingerprint === undefined ? '' : ` It now shows ${fingerprint}.`;
      return {
        message: `The host key of ${host} has changed: it was set up anew, or somebody answers in its place.${shown}`,
        hint: `Ask who runs ${host} whether the key is right. Only then type: ${line}`,
        worthRetrying: false,
      };
    },
  },
  {
    words: /Host key verification failed|No \S+ host key is known for/,
    trouble: (host) => ({
      message: `The host key of ${host} was not accepted.`,
      hint: 'Connect again and compare the fingerprint that it shows with the right one before you say yes.',
      worthRetrying: false,
    }),
  },
  {
    words: /Too many authentication failures/,
    trouble: (host) => ({
      message: `${host} refused the login: too many keys were offered before the right one.`,
      hint: `Name the right key in ~/.ssh/config: under "Host ${host}" the lines "IdentityFile ..." and "IdentitiesOnly yes".`,
      worthRetrying: false,
    }),
  },
  {
    words: /Permission denied \(([^)]*)\)|Permission denied, please try again/,
    trouble: (host, match) => ({
      message: `${host} refused the login${match[1] === undefined ? '' : ` (it takes: ${match[1]})`}.`,
      hint: `Check the user name and the key. Does "ssh ${host}" work in a terminal? Is the key in the agent (ssh-add -l)?`,
      worthRetrying: false,
    }),
  },
  {
    words:
      /(Bad owner or permissions on .*|terminating, \d+ bad configuration options?|Bad configuration option.*)/,
    trouble: (host, match) => ({
      message: `ssh does not accept its configuration: ${sentence(match[1] ?? '')}`,
      hint: `Mend it; "ssh -G ${host}" tells when it is right.`,
      worthRetrying: false,
    }),
  },
  {
    words: /execvp\(\d\) failed|ENOENT/,
    trouble: () => ({
      message: 'There is no ssh on this computer, so no other machine can be reached.',
      hint: "Install OpenSSH's client (Debian and Ubuntu: sudo apt install openssh-client).",
      worthRetrying: false,
    }),
  },
  {
    words: /Could not resolve hostname (\S+):/,
    trouble: (host, match) => ({
      message: `${host} is not reached: nobody knows a computer named ${match[1]}.`,
      hint: 'Is this computer in the right network, e.g. the VPN of the lab? Is the name right?',
      worthRetrying: true,
    }),
  },
  {
    words: /open failed: connect failed: (.*)/,
    trouble: (host, match) => ({
      message: `${host} is not reached: the jump host on the way can not connect to it (${(match[1] ?? '').trim()}).`,
      hint: 'The jump host is up; the machine behind it, or its ssh server, may not be.',
      worthRetrying: true,
    }),
  },
  {
    words: /administratively prohibited|stdio forwarding failed/,
    trouble: (host) => ({
      message: `${host} is not reached: the jump host on the way refuses to pass it on.`,
      hint: 'It has to allow forwarding (AllowTcpForwarding in its sshd_config), and the target has to be up.',
      worthRetrying: true,
    }),
  },
  {
    words: /Timeout, server \S+ not responding/,
    trouble: (host) => ({ message: `${host} does not answer any more.`, worthRetrying: true }),
  },
  {
    words: /(Connection|Operation|port \d+) timed out/,
    trouble: (host) => ({
      message: `${host} does not answer.`,
      hint: 'It may be off, or a firewall swallows what is sent: is the VPN on?',
      worthRetrying: true,
    }),
  },
  {
    words: /Connection refused/,
    trouble: (host) => ({
      message: `${host} is up, but no ssh server answers there.`,
      hint: 'It may still be starting. Is the port in ~/.ssh/config right?',
      worthRetrying: true,
    }),
  },
  {
    words: /(No route to host|Network is unreachable|Host is down)/,
    trouble: (host, match) => ({
      message: `${host} is not reached: ${sentence((match[1] ?? '').toLowerCase())}`,
      hint: 'Is this computer in the right network?',
      worthRetrying: true,
    }),
  },
  {
    words: /(Connection closed|Connection reset|Broken pipe|kex_exchange_identification)/i,
    trouble: (host) => ({ message: `${host} closed the connection.`, worthRetrying: true }),
  },
];

function trySshItself(host: string): { readonly hint: string } {
  return { hint: `See what "ssh ${host}" says in a terminal.` };
}

function sentence(text: string): string {
  const trimmed = text.trim().slice(0, 300);
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
