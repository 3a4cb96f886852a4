import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Where process ids mean something. On Linux: one boot of one kernel, and a PID namespace of it, since each container
 * counts its own processes from 1; elsewhere both are null and the host's name has to do.
 */
export type ProcessScope = {
  readonly host: string;
  readonly boot: string | null;
  readonly pidNamespace: string | null;
};

export async function processScope(): Promise<ProcessScope> {
  const [boot, pidNamespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null), // no Linux
    readlink('/proc/self/ns/pid').catch(() => null),
  ]);
  return { host: hostname(), boot: boot?.trim() ?? null, pidNamespace };
}

/** Can a process of `a` look up a process id of `b`? The name of a host may change, or be that of another one. */
export function isSameScope(a: ProcessScope, b: ProcessScope): boolean {
  if (a.boot !== b.boot || a.pidNamespace !== b.pidNamespace) return false;
  return (a.boot !== null && a.pidNamespace !== null) || a.host === b.host;
}

/** Linux: `/proc/<pid>/stat`. The name in parentheses may hold anything, so fields count from its end. */
async function linuxStart(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startTicks = fields[19]; // field 22 of proc(5): ticks since boot
    // A zombie has ended; only its parent has not asked for its exit code yet.
    if (state === 'Z' || state === 'X' || startTicks === undefined) return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return `${boot.trim()}:${startTicks}`;
  } catch {
    return null;
  }
}

/**
 * The start time of the process that has this id now, as a text, so that a reused id gives another text; null if no
 * process has this id. If the system does not tell the start time, the text is the same for all processes with that id.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return linuxStart(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return null;
  }
  if (process.platform === 'win32') return 'unknown';
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
    return stdout.trim();
  } catch {
    return null;
  }
}
