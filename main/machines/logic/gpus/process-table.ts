import { hideSecrets, linesOf, printableText } from '../../../base';

/** The facts about a process from `ps`. */
export type ListedProcess = { readonly user: string; readonly ageSeconds: number; readonly command: string };

/** Long enough to recognise the command, short enough for a list. */
const LONGEST_COMMAND = 300;

/** One `ps` for all processes that hold a GPU; where it does not know wide columns, the plain ones. */
export const PROCESS_PART = {
  name: 'processes',
  body: `
  pids=$(cat "$work"/*.pids 2>/dev/null | sort -un | head -n 2000 | tr '\\n' ',' | sed 's/,$//')
  [ -n "$pids" ] || return 0
  ps -ww -o pid= -o user:64= -o etime= -o args= -p "$pids" 2>/dev/null ||
    ps -ww -o pid= -o user= -o etime= -o args= -p "$pids"
  return 0`,
} as const;

/** Reads it by process id. Lines that are none are left out. */
export function parseProcessTable(text: string): ReadonlyMap<number, ListedProcess> {
  const table = new Map<number, ListedProcess>();
  for (const line of linesOf(text)) {
    const [, pid, user, elapsed = '', command = ''] =
      /^\s*(\d+)\s+(\S+)\s+([\d:-]+)\s+([\s\S]*)/.exec(line) ?? [];
    const ageSeconds = elapsedSeconds(elapsed);
    if (pid === undefined || user === undefined || ageSeconds === null) continue;
    table.set(Number(pid), { user, ageSeconds, command: shortCommand(command) });
  }
  return table;
}

/** A command line as it may be shown and stored: without secrets, since the whole lab sees it, with a limited length. */
export function shortCommand(command: string): string {
  const shown = hideSecrets(printableText(command));
  return shown.length <= LONGEST_COMMAND ? shown : `${shown.slice(0, LONGEST_COMMAND - 1)}…`;
}

/** Seconds of `ps -o etime`, which is [[dd-]hh:]mm:ss (POSIX); null when it is none. */
export function elapsedSeconds(text: string): number | null {
  const [, days = '0', hours = '0', minutes, seconds] =
    /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(text.trim()) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
