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
  return below(
    table,
    table.filter(({ pid }) => pid === process.pid),
  );
}

/** The sandboxes that this process has started and all that is in them, whatever else runs below it. */
export function sandboxProcesses(): ProcessEntry[] {
  const table = processTable();
  const roots = table.filter(
    ({ parent, command }) => parent === process.pid && command.includes('mars2_grader'),
  );
  return [...roots, ...below(table, roots)];
}

function below(table: readonly ProcessEntry[], roots: readonly ProcessEntry[]): ProcessEntry[] {
  const found = new Set(roots.map(({ pid }) => pid));
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const entry of table) if (found.has(entry.parent)) found.add(entry.pid);
  }
  return table.filter(({ pid }) => found.has(pid) && !roots.some((root) => root.pid === pid));
}

export function isStillThere(entry: ProcessEntry): boolean {
  return processTable().some((other) => other.pid === entry.pid && other.startedAt === entry.startedAt);
}
