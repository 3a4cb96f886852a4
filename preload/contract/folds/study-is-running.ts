import type { StudyState } from '../study';

/** Some of its work is running: it works, or is about to stop. */
export function studyIsRunning({ kind }: StudyState): boolean {
  return kind === 'preparing' || kind === 'running' || kind === 'pausing';
}

/** It works, or starts automatically once another study is done. */
export function isUnderWay(state: StudyState): boolean {
  return studyIsRunning(state) || state.kind === 'queued';
}
