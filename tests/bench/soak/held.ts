import { readdirSync, readFileSync } from 'node:fs';
import type { Workbench } from '../../../main/app/workbench';

/** What this process holds. */
export type Held = {
  /** Bytes of JavaScript objects after a collection; 0 where the process cannot collect (`--expose-gc`). */
  readonly heapBytes: number;
  /** Of the workbench's events and of the process. */
  readonly listeners: number;
  readonly fileHandles: number;
  readonly childProcesses: number;
};

export function heldBy(workbench: Workbench): Held {
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return {
    heapBytes: heapBytes(),
    listeners: workbench.events.listenerCount + ofProcess,
    fileHandles: readdirSync('/proc/self/fd').length,
    childProcesses: childCount(),
  };
}

function heapBytes(): number {
  if (globalThis.gc === undefined) return 0;
  // Finalizers of one collection free what the next one collects.
  for (let round = 0; round < 4; round++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function childCount(): number {
  const tasks = readdirSync('/proc/self/task');
  return tasks.reduce((sum, task) => {
    const children = readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim();
    return sum + (children === '' ? 0 : children.split(' ').length);
  }, 0);
}
