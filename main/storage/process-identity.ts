import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

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
