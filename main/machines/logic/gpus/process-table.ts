import { linesOf } from '../probe/sections';

/** Names of options and variables whose value is secret: --api-key, HF_TOKEN, PGPASSWORD ... */
const SECRET_NAME = String.raw`[\w-]*(?:api[_-]?key|token|secret|password|passwd)`;

/** `--api-key sk-1`, `--api-key=sk-1`, `HF_TOKEN=hf_1`; a quoted value is one value. Counts (max-tokens 100) stay. */
const NAMED = new RegExp(String.raw`(${SECRET_NAME})(\s*=\s*|\s+)("[^"]*"|'[^']*'|[^\s"']+)`, 'gi');
/** Tokens with a known prefix, in any position. */
const KNOWN = /\b(?:sk-|hf_|ghp_|github_pat_|glpat-|xox[abp]-|AKIA)[\w-]{8,}/g;
const IN_ADDRESS = /(\w+:\/\/[^\s/:@]*:)[^\s/@]+@/g;

/** Hides probable secrets in command lines, since the whole lab sees them. */
export function hideSecrets(command: string): string {
  return command
    .replace(NAMED, (whole: string, name: string, between: string, value: string) => {
      const isOption = name.startsWith('-') || between.includes('=');
      return !isOption || value.startsWith('-') || /^\d+$/.test(value) ? whole : `${name}${between}•••`;
    })
    .replace(KNOWN, '•••')
    .replace(IN_ADDRESS, '$1•••@');
}

/** The facts about a process from `ps`. */
export type ListedProcess = { readonly user: string; readonly ageSeconds: number; readonly command: string };

/** Long enough to tell what it is, short enough for a list. */
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
      /^\s*(\d+)\s+(\S+)\s+([\d:-]+)\s+(.*)$/.exec(line) ?? [];
    const ageSeconds = elapsedSeconds(elapsed);
    if (pid === undefined || user === undefined || ageSeconds === null) continue;
    table.set(Number(pid), { user, ageSeconds, command: shortCommand(command) });
  }
  return table;
}

/** A command line as it may be shown and stored: without secrets, with a limited length. */
export function shortCommand(command: string): string {
  const shown = hideSecrets(command.trim());
  return shown.length <= LONGEST_COMMAND ? shown : `${shown.slice(0, LONGEST_COMMAND - 1)}…`;
}

/** Seconds of `ps -o etime`, which is [[dd-]hh:]mm:ss (POSIX); null when it is none. */
export function elapsedSeconds(text: string): number | null {
  const [, days = '0', hours = '0', minutes, seconds] =
    /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(text.trim()) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
