import { readdirSync, readFileSync } from 'node:fs';
import { release } from 'node:os';

/** Margin for threads that other programs of the user start while a test runs. */
const OTHER_TASKS_MARGIN = 64;

/**
 * The number of tasks that the limit on a candidate's processes is added to (RLIMIT_NPROC); -1: set no such limit.
 * Since Linux 5.14 the kernel counts within the user namespace, where there are just `ours` tasks of the runner.
 * Before, and without a sandbox (`ours` null), it counts all tasks of the user on this computer.
 */
export function processBase(ours: number | null, uid: number): number {
  if (process.platform !== 'linux') return -1;
  return processBaseOf(ours, release(), () => tasksOf(uid));
}

/** The same for a Linux of which `kernel` is the release, e.g. "6.1.0-18-amd64"; `tasks` counts those of the user. */
export function processBaseOf(ours: number | null, kernel: string, tasks: () => number): number {
  return ours !== null && countsWithinNamespace(kernel) ? ours : tasks() + OTHER_TASKS_MARGIN;
}

function countsWithinNamespace(kernel: string): boolean {
  const match = /^(\d+)\.(\d+)/.exec(kernel);
  return match !== null && Number(match[1]) * 1000 + Number(match[2]) >= 5014;
}

function tasksOf(uid: number): number {
  let tasks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let status: string;
    try {
      status = readFileSync(`/proc/${name}/status`, 'utf8');
    } catch {
      continue; // it has ended in the meantime
    }
    if (Number(/^Uid:\t(\d+)/m.exec(status)?.[1]) !== uid) continue;
    tasks += Number(/^Threads:\t(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return tasks;
}
