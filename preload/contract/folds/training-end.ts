import type { JobState } from '../job';
import { jobHasEnded } from './job-end';

/**
 * How a training's job stands for whoever conducts many of them. stopped: by a person who wanted it so; cut-off: killed,
 * or stopped by the end of a session, so that it is simply gone on with; failed: its trainer gave up.
 */
export type TrainingEnd = 'running' | 'done' | 'stopped' | 'failed' | 'cut-off';

/** The trainer's own exit code where it was asked to stop and kept a checkpoint. */
const STOPPED = 75;
/** 128 and the number of SIGKILL, as a shell tells it. */
const KILLED = 137;

/**
 * `since`: when this workbench was opened, ISO date: a stop before was nobody's wish that could be asked now, but the
 * end of a session or of the computer.
 */
export function trainingEnd(state: JobState, since: string): TrainingEnd {
  if (!jobHasEnded(state)) return 'running';
  if (state.kind !== 'exited' || state.code === null || state.code === KILLED) return 'cut-off';
  if (state.code === 0) return 'done';
  if (state.code !== STOPPED) return 'failed';
  return state.endedAt < since ? 'cut-off' : 'stopped';
}

/** Of one that has ended otherwise than well, in a sentence or two. */
export function trainingEndWords(state: JobState): string {
  if (state.kind === 'lost') return state.why;
  const code = state.kind === 'exited' && state.code !== null ? `with code ${state.code}` : 'without a code';
  return `Its job ended ${code}. Its log tells why.`;
}
