import type { JobState } from '../job';
import { jobHasEnded } from './job-end';

/**
 * How a training's job ended, for plans of many trainings. stopped: by a person; cut-off: killed, or stopped by the end of a
 * session, so that it can simply be resumed; failed: its trainer gave up.
 */
export type TrainingEnd = 'running' | 'done' | 'stopped' | 'failed' | 'cut-off';

/** The trainer's exit code after it was asked to stop and saved a checkpoint. */
const STOPPED = 75;
/** 128 plus the number of SIGKILL, as shells report it. */
const KILLED = 137;

/**
 * `since`: when this workbench was opened, ISO date. A stop before that came with the end of a session or of the computer,
 * not from a person.
 */
export function trainingEnd(state: JobState, since: string): TrainingEnd {
  if (!jobHasEnded(state)) return 'running';
  if (state.kind !== 'exited' || state.code === null || state.code === KILLED) return 'cut-off';
  if (state.code === 0) return 'done';
  if (state.code !== STOPPED) return 'failed';
  return state.endedAt < since ? 'cut-off' : 'stopped';
}

/** Why a training that did not succeed ended. */
export function trainingEndWords(state: JobState): string {
  if (state.kind === 'lost') return state.why;
  const code = state.kind === 'exited' && state.code !== null ? `with code ${state.code}` : 'without a code';
  return `Its job ended ${code}. See its log for the reason.`;
}
