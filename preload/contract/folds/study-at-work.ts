import type { StudyState } from '../study';

/** It works now, or is about to stop: something of it still runs. */
export function isAtWork({ kind }: StudyState): boolean {
  return kind === 'preparing' || kind === 'running' || kind === 'pausing';
}
