import { shellWord } from '../../base';

/** Lines that a session keeps; a line costs about its bytes. */
const HISTORY_LINES = 20_000;
/** 3.0 added `send-keys -H`, which types bytes unchanged. */
const OLDEST = 3;

/** A session of ours: on this socket, by this name. Both are made of letters, digits, "-" and "_". */
export type TmuxSession = { readonly socket: string; readonly name: string };

/**
 * Our own tmux, even if this shell runs inside another one; -f: the user's settings are for the user's own sessions.
 */
const OWN = 'unset TMUX TMUX_PANE';

function tmux(socket: string): string {
  return `tmux -u -f /dev/null -L ${shellWord(socket)}`;
}

/**
 * Starts a login shell in a new session, detached. Prints "made VERSION", "none" if tmux is missing, or "old VERSION".
 * The shell does not see that it is in tmux, because people run their own tmux in it.
 */
export function makeScript(
  { socket, name }: TmuxSession,
  size: { readonly columns: number; readonly rows: number },
): string {
  const shell = [
    'unset TMUX TMUX_PANE',
    'case $SHELL in */bash|*/zsh|*/fish|*/ksh|*/tcsh|*/csh) exec "$SHELL" -l;; esac',
    // Not every plain sh knows -l.
    '[ -r /etc/profile ] && . /etc/profile',
    '[ -r "$HOME/.profile" ] && . "$HOME/.profile"',
    'exec "$SHELL"',
  ].join('; ');
  const options = [
    `set-option -g history-limit ${HISTORY_LINES}`,
    'set-option -g status off',
    'set-option -g mouse on', // for people who attach by hand; we read the modes that programs set
    'set-option -g default-terminal xterm-256color',
    'set-option -g set-titles off',
    'set-environment -g COLORTERM truecolor',
    `new-session -d -s ${shellWord(name)} -x ${size.columns} -y ${size.rows} -c "$HOME" /bin/sh -c ${shellWord(shell)}`,
  ].join(' \\; ');
  return `${OWN}
command -v tmux >/dev/null 2>&1 || { echo none; exit 0; }
version=$(tmux -V)
number=\${version#tmux }; number=\${number#next-}; major=\${number%%.*}
case $major in ''|*[!0-9]*) major=${OLDEST};; esac
[ "$major" -ge ${OLDEST} ] || { echo "old $version"; exit 0; }
${tmux(socket)} start-server \\; ${options} || exit 1
echo "made $version"
`;
}

export type MadeSession =
  | { readonly kind: 'made' }
  /** Why there is none, as the end of a sentence: "…, because there is no tmux". */
  | { readonly kind: 'impossible'; readonly why: string };

export function parseMade(end: {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}): MadeSession {
  const answer = end.stdout.trim();
  if (end.code === 0 && answer.startsWith('made ')) return { kind: 'made' };
  if (answer === 'none') return { kind: 'impossible', why: 'there is no tmux' };
  if (answer.startsWith('old '))
    return { kind: 'impossible', why: `its ${answer.slice(4)} is too old (${OLDEST}.0 is needed)` };
  const last = end.stderr.trim().split('\n').at(-1) ?? '';
  return { kind: 'impossible', why: `tmux did not start (${last === '' ? `exit code ${end.code}` : last})` };
}

/** Attaches to a session over stdin and stdout (tmux(1), "CONTROL MODE") until it ends or they are closed. */
export function attachScript({ socket, name }: TmuxSession): string {
  return `${OWN}; exec ${tmux(socket)} -C attach-session -t ${shellWord(`=${name}`)}`;
}

/** Prints "alive" or "gone". */
export function aliveScript({ socket, name }: TmuxSession): string {
  return `${OWN}; if ${tmux(socket)} has-session -t ${shellWord(`=${name}`)} 2>/dev/null; then echo alive; else echo gone; fi`;
}

/** Ends the session with everything in it; one that no longer exists is no error. */
export function endScript(session: TmuxSession): string {
  return `${OWN}; ${tmux(session.socket)} kill-session -t ${shellWord(`=${session.name}`)} 2>/dev/null; ${aliveScript(session)}`;
}

/** The names of all sessions on a socket, the oldest first; nothing if there are none. */
export function listScript(socket: string): string {
  return `${OWN}; command -v tmux >/dev/null 2>&1 || exit 0; ${tmux(socket)} list-sessions -F '#{session_created} #{session_name}' 2>/dev/null | sort -n; exit 0`;
}

export function parseSessions(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => /^\d+ ([\w-]+)$/.exec(line)?.[1] ?? []);
}

/** Bytes typed by one command; a paste takes several commands. */
const KEYS_PER_COMMAND = 512;

/** Commands that type these bytes as they are. */
export function keyCommands(pane: string, bytes: Uint8Array): string {
  let commands = '';
  for (let from = 0; from < bytes.length; from += KEYS_PER_COMMAND) {
    const hex = [...bytes.subarray(from, from + KEYS_PER_COMMAND)].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    commands += `send-keys -t ${pane} -H ${hex.join(' ')}\n`;
  }
  return commands;
}

export function sizeCommand({ columns, rows }: { readonly columns: number; readonly rows: number }): string {
  return `refresh-client -C ${columns}x${rows}\n`;
}
