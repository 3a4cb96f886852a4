import { readdir, readFile, readlink } from 'node:fs/promises';

export type FoundProcess = { readonly pid: number; readonly parent: number; readonly command: string };

/** The system's processes whose command, environment or working folder names this folder. Linux only. */
export async function processesOf(folder: string): Promise<readonly FoundProcess[]> {
  const all = await allProcesses();
  const named = await Promise.all(
    all.map(async ({ pid, command }) => {
      if (pid === process.pid) return false;
      if (command.includes(folder)) return true;
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd.startsWith(folder)) return true;
      return (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).includes(folder);
    }),
  );
  return all.filter((_, at) => named[at]);
}

/** What a process has started, and what that has. */
export async function processesBelow(root: number): Promise<readonly FoundProcess[]> {
  const all = await allProcesses();
  const below = new Set([root]);
  // A parent may have a higher number than its child.
  for (let known = 0; known < below.size; ) {
    known = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => pid !== root && below.has(pid));
}

async function allProcesses(): Promise<FoundProcess[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The program's name stands in parentheses and may hold some itself.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || state === 'Z') return null;
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      return { pid: Number(name), parent: Number(parent), command: command.replaceAll('\0', ' ').trim() };
    }),
  );
  return found.filter((one) => one !== null);
}

/** Sends a signal to those that still live; how many did. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): number {
  let count = 0;
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
      count += 1;
    } catch {
      // It has ended by itself.
    }
  }
  return count;
}
