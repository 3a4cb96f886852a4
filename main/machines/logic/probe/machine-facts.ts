import type { MachineFacts } from '../../../../preload/contract';
import { linesOf, printableText, type Section, sectionOf } from '../../../base';

/** Facts of the machine: one "name=value" a line. Also removes files of killed probes. */
export const FACTS_PART = {
  name: 'facts',
  body: `
  find "\${work%/*}" -maxdepth 1 -type d -name 'mars2-look.*' -user "$(id -u)" -mmin +30 -exec rm -rf {} + 2>/dev/null
  printf 'hostname=%s\\n' "$({ hostname 2>/dev/null || uname -n; } | head -n 1)"
  printf 'user=%s\\n' "$(id -un 2>/dev/null || id -u)"
  printf 'home=%s\\n' "$HOME"
  printf 'system=%s\\n' "$(uname -s -r -m)"
  printf 'cores=%s\\n' "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
  printf 'memory=%s\\n' "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo 2>/dev/null || echo $(($(sysctl -n hw.memsize) / 1024)))"`,
} as const;

/** A part of its own: if the file server of the home folder is dead, only this part hangs. */
export const DISK_PART = { name: 'disk', body: 'limited 8 df -Pk "$HOME"' } as const;

/**
 * Time since the boot and the clock, for the times of other parts; and the errors of GPUs in the kernel's log, which
 * some systems show to nobody but root, and to members of a group in the journal.
 */
export const CLOCK_PART = {
  name: 'clock',
  body: `
  printf 'now=%s\\n' "$(date +%s)"
  printf 'uptime=%s\\n' "$(cut -d ' ' -f 1 /proc/uptime 2>/dev/null)"
  if dmesg >/dev/null 2>&1; then dmesg; else limited 3 journalctl -k -b -q -n 2000 -o short-monotonic --no-pager; fi 2>/dev/null |
    grep -a 'NVRM: Xid' | tail -n 200
  return 0`,
} as const;

/** null when the machine did not report them. */
export function readFacts(sections: readonly Section[]): MachineFacts | null {
  const facts = namedValues(sectionOf(sections, 'facts'));
  const hostname = facts.get('hostname');
  const user = facts.get('user');
  const home = facts.get('home');
  if (hostname === undefined || user === undefined || home === undefined) return null;
  const disk = diskSpace(sectionOf(sections, 'disk')?.text ?? '');
  return {
    hostname: printableText(hostname),
    user,
    home,
    system: systemName(printableText(facts.get('system') ?? '')),
    cores: positive(facts.get('cores')),
    memoryMib: positive(facts.get('memory'), 1_024),
    diskFreeMib: disk === null ? null : Math.floor(disk.freeKib / 1_024),
    diskTotalMib: disk === null ? null : Math.max(1, Math.floor(disk.totalKib / 1_024)),
  };
}

/** Seconds since 1970 and since the boot by the machine's own clock; null where not reported. */
export function readClock(sections: readonly Section[]): { now: number | null; uptime: number | null } {
  const values = namedValues(sectionOf(sections, 'clock'));
  const number = (name: string): number | null => {
    const text = values.get(name) ?? '';
    return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  };
  return { now: number('now'), uptime: number('uptime') };
}

/** The last line of `df -Pk`, whose first column may hold blanks. */
export function diskSpace(text: string): { totalKib: number; freeKib: number; mount: string } | null {
  const [, total, , free, , mount] =
    /\s(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+%|-)\s+(\S[\s\S]*)/.exec(linesOf(text).at(-1) ?? '') ?? [];
  if (total === undefined || free === undefined || mount === undefined) return null;
  return { totalKib: Number(total), freeKib: Math.max(0, Number(free)), mount };
}

function namedValues(section: Section | null): ReadonlyMap<string, string> {
  return new Map(
    linesOf(section?.text ?? '').flatMap((line) => {
      const split = line.indexOf('=');
      return split <= 0 ? [] : [[line.slice(0, split), line.slice(split + 1)] as const];
    }),
  );
}

/** "Linux 6.1.0-18-amd64 x86_64" without build details: "Linux 6.1 x86_64". */
function systemName(uname: string): string {
  return uname.replace(/^(\S+) (\d+\.\d+)(?!\d)\S* (\S+)$/, '$1 $2 $3');
}

function positive(text: string | undefined, divisor = 1): number | null {
  const value = Math.floor(Number(text) / divisor);
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}
