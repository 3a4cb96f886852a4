import { utf8Bytes } from '../../base';

/** OpenSSH's client, and options that every call of it gets first (the first value of an option counts). */
export type SshProgram = { readonly program: string; readonly args: readonly string[] };

/**
 * Seconds between ssh's own signs of life, and how many may be missed. They count during the login too, where a server
 * may wait for two minutes for the user to approve it on a telephone; later our own are quicker (see `Heartbeat`).
 */
const ALIVE_SECONDS = 20;
const ALIVE_MISSES = 6;
const CONNECT_SECONDS = 15;

/** Overrides options of the user's config that would change these calls; older clients do not know all of them. */
const PLAIN = [
  'IgnoreUnknown=RemoteCommand,ForkAfterAuthentication,SessionType,StdinNull',
  'ControlPersist=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
];

function options(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => ['-o', line]);
}

/** The one connection to a host: prompts for the login, then serves all other calls at `socket`. */
export function masterArguments(ssh: SshProgram, socket: string, host: string): readonly string[] {
  return [
    ...ssh.args,
    '-M',
    '-N',
    '-S',
    socket,
    ...options([
      ...PLAIN,
      'RemoteCommand=none',
      'ForkAfterAuthentication=no',
      'SessionType=none',
      'StdinNull=no',
      'LogLevel=INFO',
      `ServerAliveInterval=${ALIVE_SECONDS}`,
      `ServerAliveCountMax=${ALIVE_MISSES}`,
      `ConnectTimeout=${CONNECT_SECONDS}`,
    ]),
    '-e',
    'none',
    host,
  ];
}

/**
 * A call over the connection at `socket`. Without the connection it fails at once, because it would have to go through
 * the command `false`. The user's config was read by the connection and is not read again.
 */
function connectionArguments(ssh: SshProgram, socket: string): readonly string[] {
  return [
    ...ssh.args,
    '-F',
    '/dev/null',
    '-S',
    socket,
    ...options(['ControlMaster=no', 'BatchMode=yes', 'ProxyCommand=false']),
  ];
}

/** A command over the connection, for the user's login shell. */
export function sessionArguments(
  ssh: SshProgram,
  socket: string,
  host: string,
  command: string,
): readonly string[] {
  return [...connectionArguments(ssh, socket), '-T', '-e', 'none', host, command];
}

/** Where a forwarded port leads, as the machine sees it; an IPv6 address is in brackets. */
export type ForwardTarget = { readonly host: string; readonly port: number };

/** Starts or stops forwarding a socket of this computer to a port that the machine reaches. */
export function forwardArguments(
  ssh: SshProgram,
  socket: string,
  host: string,
  action: 'forward' | 'cancel',
  /** Without ":". */
  path: string,
  to: ForwardTarget,
): readonly string[] {
  return [...connectionArguments(ssh, socket), '-O', action, '-L', `${path}:${to.host}:${to.port}`, host];
}

/** A terminal over the connection, with the terminal options of the user's config (language, agent). */
export function terminalArguments(
  ssh: SshProgram,
  socket: string,
  host: string,
  command: string | null,
): readonly string[] {
  return [
    ...ssh.args,
    '-S',
    socket,
    ...options([...PLAIN, 'ControlMaster=no', 'ProxyCommand=false', 'RemoteCommand=none']),
    '-tt',
    '-e',
    'none',
    host,
    ...(command === null ? [] : [forAnyLoginShell(command)]),
  ];
}

/**
 * Encodes a POSIX shell command so that every login shell (sh, bash, zsh, ksh, csh, fish) passes it on unchanged:
 * characters that these shells interpret differently become octal numbers. `bytes` are those of the command in UTF-8.
 */
function forAnyLoginShell(command: string): string {
  const bytes = utf8Bytes(command, '?');
  const coded = bytes
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[\w ./=:,@+-]/.test(letter) && byte < 128 ? letter : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
  return `exec /bin/sh -c 'eval "$(printf "${coded}")"'`;
}
