import type { ExperimentView } from '../../preload/contract/experiment';
import { jobHasEnded } from '../../preload/contract/folds/job-end';
import type { TrainingView } from '../../preload/contract/training';
import { assertNever } from './assert-never';
import { asSentence, exitText, type JobWords } from './job-words';

/** Exit code of a pocket trainer that has written a checkpoint and stopped because it was asked to. */
const STOPPED_CODE = 75;

type Ending = Pick<TrainingView, 'state' | 'wasStopped'>;

/** Did a person stop it, so that resuming it is the natural thing? */
export function trainingWasStopped(training: Ending): boolean {
  const { state, wasStopped } = training;
  if (trainingIsDone(training)) return false; // it was done before the stop came
  return wasStopped === true || (state.kind === 'exited' && state.code === STOPPED_CODE);
}

export function trainingIsActive({ state }: Pick<TrainingView, 'state'>): boolean {
  return !jobHasEnded(state);
}

export function trainingIsDone({ state }: Pick<TrainingView, 'state'>): boolean {
  return state.kind === 'exited' && state.code === 0;
}

/** The state of a training in a word or two, its stage with it while it runs. */
export function trainingWords(training: Ending & Pick<TrainingView, 'stage'>): JobWords {
  const { state, stage } = training;
  if (trainingWasStopped(training)) return { tone: 'quiet', words: 'Stopped' };
  switch (state.kind) {
    case 'queued':
      return { tone: 'quiet', words: 'Queued' };
    case 'starting':
      return { tone: 'active', words: 'Starting' };
    case 'running':
      return { tone: 'active', words: stage === null || stage === '' ? 'Running' : `Running: ${stage}` };
    case 'exited':
      if (state.code === 0) return { tone: 'good', words: 'Done' };
      if (state.code === null) return { tone: 'bad', words: 'Killed' };
      return { tone: 'bad', words: `Failed, code ${exitText(state)}` };
    case 'lost':
      return { tone: 'bad', words: 'Lost' };
    case 'unknown':
      return { tone: 'unsure', words: 'Unknown' };
    default:
      return assertNever(state);
  }
}

/** Why it is as it is, and what to do; null where nothing needs to be said. */
export function explainTraining(training: Ending, machineName: string): string | null {
  const { state } = training;
  if (trainingWasStopped(training))
    return 'It was stopped. Resume it, and it goes on from its last checkpoint.';
  switch (state.kind) {
    case 'queued':
      return `It waits for its turn on ${machineName}: ${sentence(state.why)}`;
    case 'lost':
      return `It ended without an exit code: ${sentence(state.why)} Resume it, and it goes on from its last checkpoint.`;
    case 'unknown':
      return `${machineName} does not answer, so nobody knows whether it still trains. It was ${state.last} when last seen. What it wrote is kept there and read as soon as the machine answers.`;
    case 'exited':
      if (state.code === 0) return null;
      return `It ended ${state.code === null ? 'without an exit code' : `with exit code ${state.code}`}. Its log says why. When that is put right, resume it: it goes on from its last checkpoint.`;
    case 'starting':
    case 'running':
      return null;
    default:
      return assertNever(state);
  }
}

function sentence(words: string): string {
  return words.trim() === '' ? 'the reason is not known.' : asSentence(words);
}

/** Share of its updates in [0, 1]; null: nobody knows how many there will be. */
export function trainingShare({ step, steps }: Pick<TrainingView, 'step' | 'steps'>): number | null {
  return steps === null ? null : Math.min(1, step / steps);
}

/** How long it ran or has been running, milliseconds; null before it started. `now`: milliseconds since the epoch. */
export function trainingRanMs(
  { startedAt, endedAt, state }: Pick<TrainingView, 'startedAt' | 'endedAt' | 'state'>,
  now: number,
): number | null {
  if (startedAt === null) return null;
  const seen = state.kind === 'unknown' ? Date.parse(state.since) : now;
  return Math.max(0, (endedAt === null ? seen : Date.parse(endedAt)) - Date.parse(startedAt));
}

/** The state of an experiment in a word or two. */
export function experimentWords({ state }: Pick<ExperimentView, 'state'>): JobWords {
  switch (state.kind) {
    case 'running':
      return { tone: 'active', words: 'Running' };
    case 'paused':
      return { tone: 'quiet', words: 'Paused' };
    case 'done':
      return { tone: 'good', words: 'Done' };
    case 'failed':
      return { tone: 'bad', words: 'Failed' };
    default:
      return assertNever(state);
  }
}
