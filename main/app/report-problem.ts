import type { WorkbenchEvent } from '../../preload/contract/index';
import type { Emitter } from '../base/index';
import type { ReconcileProblem } from '../reconcile/index';
import { reasonOf } from '../storage/index';

/** Logs every error of long work, and shows the first of several in a row. */
export function createProblemReporter(events: Emitter<WorkbenchEvent>): (problem: ReconcileProblem) => void {
  return ({ name, key, error, failures, waitMs }) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const about = key === null ? name : `${name}, ${key}`;
    process.stderr.write(`${new Date().toISOString()} ${about}, failure ${failures}: ${text}\n`);
    if (failures > 1) return;
    const again = waitMs > 0 ? ' It is tried again by itself.' : '';
    events.emit({ kind: 'notice', level: 'error', message: `${reasonOf(error)}${again}` });
  };
}
