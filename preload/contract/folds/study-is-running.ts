import type { StudyState } from '../study';

/** It works now, or is about to stop: something of it still runs. */
export function isAtWork({ kind }: StudyState): boolean {
  return kind === 'preparing' || kind === 'running' || kind === 'pausing';
}

/** It works, or begins by itself once another study is done. */
export function isUnderWay(state: StudyState): boolean {
  return isAtWork(state) || state.kind === 'queued';
}
