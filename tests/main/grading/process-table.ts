import { readdirSync, readFileSync } from 'node:fs';

export type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly startedAt: string;
};

/** All processes that this computer shows, other namespaces' too; zombies left out. */
export function processTable(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(parent), command, startedAt: rest[17] ?? '' }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

/** Everything below this process. */
export function descendants(): ProcessEntry[] {
  const table = processTable();
  const below = new Set([process.pid]);
  for (let before = 0; before !== below.size; ) {
    before = below.size;
    for (const entry of table) if (below.has(entry.parent)) below.add(entry.pid);
  }
  return table.filter((entry) => below.has(entry.pid) && entry.pid !== process.pid);
}

export function isStillThere(entry: ProcessEntry): boolean {
  return processTable().some((other) => other.pid === entry.pid && other.startedAt === entry.startedAt);
}
