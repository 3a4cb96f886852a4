import { assertNever } from '../../preload/contract/assert-never';
import type { ExperimentView } from '../../preload/contract/experiment';
import { jobHasEnded } from '../../preload/contract/folds/job-end';
import {
  isOwnTraining,
  isUntrained,
  nameWithoutSeed,
  seedOfTraining,
} from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import { exitText, stateLabel } from './jobs';
import { asSentence, type StatusLabel } from './status';

/** Exit code of a pocket trainer that wrote a checkpoint and stopped on request. */
const STOPPED_CODE = 75;

type TrainingEnd = Pick<TrainingView, 'state' | 'wasStopped'>;
type Updates = Pick<TrainingView, 'step' | 'steps'> & Partial<Pick<TrainingView, 'spec'>>;

/** Whether another program started it, so that it is only read. */
export function isOnlyWatched({ spec }: Pick<TrainingView, 'spec'>): boolean {
  return spec.kind === 'watched';
}

/** Did a person stop it, so that it can be resumed? */
export function trainingWasStopped(training: TrainingEnd): boolean {
  const { state, wasStopped } = training;
  if (trainingIsDone(training)) return false; // it finished before the stop request
  return wasStopped === true || (state.kind === 'exited' && state.code === STOPPED_CODE);
}

export function trainingIsActive({ state }: Pick<TrainingView, 'state'>): boolean {
  return !jobHasEnded(state);
}

export function trainingIsDone({ state }: Pick<TrainingView, 'state'>): boolean {
  return state.kind === 'exited' && state.code === 0;
}

/** With its stage while it runs. */
export function trainingStatus(
  training: TrainingEnd &
    Pick<TrainingView, 'stage'> &
    Partial<Pick<TrainingView, 'spec' | 'reproductionId'>>,
): StatusLabel {
  const { state, stage, spec, reproductionId = null } = training;
  if (spec?.kind === 'watched' && state.kind === 'running') return { tone: 'active', text: 'Watched' };
  if (trainingWasStopped(training))
    return { tone: 'quiet', text: reproductionId === null ? 'Stopped' : 'Stopped, part of an exhibit' };
  if (state.kind === 'running' && stage) return { tone: 'active', text: `Running: ${stage}` };
  const label = stateLabel(state);
  return label.text === 'Failed' ? { ...label, text: `Failed, code ${exitText(state)}` } : label;
}

/** What a resumed training continues from. */
export function resumesFrom(spec: TrainingView['spec'] | undefined): string {
  return spec !== undefined && isOwnTraining(spec) ? 'last saved state' : 'last checkpoint';
}

/** What a stop keeps of a training that runs, and what there is not yet. */
export function stopKeepsText({ spec, step }: Pick<TrainingView, 'spec' | 'step'>): string {
  const kept = keptText(spec);
  return isOwnTraining(spec) && step < Math.min(spec.updates, spec.checkpointEvery)
    ? `${kept} It has no checkpoint yet, so until it is resumed nothing of it can be served or searched with.`
    : kept;
}

function keptText(spec: TrainingView['spec']): string {
  switch (spec.kind) {
    case 'pocket':
      return 'It ends its round, saves its state and stops: nothing is lost, and Resume goes on at that update.';
    case 'model':
      return spec.lora === null
        ? 'A round that takes more than 20 s is broken off: Resume does again what came after the last saved state, at most a round and 10 minutes.'
        : 'A round that takes more than 20 s is broken off: Resume does that one round again, and nothing else is lost.';
    case 'marti':
    case 'recipe':
    case 'watched':
      return 'Progress since the last checkpoint may be lost; resuming continues from that checkpoint.';
    default:
      return assertNever(spec);
  }
}

/** Of one that failed. */
function resumeText({ spec, step }: Parameters<typeof explainTraining>[0]): string {
  return step === 0
    ? 'Once that is fixed, resume it: it begins anew, as it had made no update.'
    : `Once that is fixed, resume it to continue from its ${resumesFrom(spec)}.`;
}

function explainStop({ state, spec, step }: Parameters<typeof explainTraining>[0]): string {
  const isSaved = spec?.kind === 'pocket' && state.kind === 'exited' && state.code === STOPPED_CODE;
  return isSaved && step !== undefined
    ? `You stopped it. Nothing is lost: Resume goes on at update ${step.toLocaleString('en')}.`
    : `You stopped it. Resume it to continue from its ${resumesFrom(spec)}.`;
}

/** Why the training is in its state and what to do; null where there is nothing to explain. */
export function explainTraining(
  training: TrainingEnd & Partial<Pick<TrainingView, 'spec' | 'step' | 'failure'>>,
  machineName: string,
): string | null {
  const { state, spec } = training;
  if (spec?.kind === 'watched') return explainWatched(state, machineName);
  if (trainingWasStopped(training)) return explainStop(training);
  switch (state.kind) {
    case 'queued':
      return `Waiting for its turn on ${machineName}: ${sentence(state.why)}`;
    case 'lost':
      return `The training ended without an exit code: ${sentence(state.why)} Resume it to continue from its ${resumesFrom(spec)}.`;
    case 'unknown':
      return `${machineName} is not reachable, so the state of the training is unknown. It was last seen ${state.last}. Its output stays on the machine and is read as soon as the machine answers.`;
    case 'exited':
      if (state.code === 0) return null;
      return `The training ended ${state.code === null ? 'without an exit code' : `with exit code ${state.code}`}${training.failure === undefined ? '. See its log for the reason.' : `: ${training.failure}`} ${resumeText(training)}`;
    case 'starting':
    case 'running':
      return null;
    default:
      return assertNever(state);
  }
}

function explainWatched(state: TrainingView['state'], machineName: string): string {
  const never =
    'Others started it: the workbench reads its files and never stops, changes or deletes anything.';
  if (state.kind === 'unknown')
    return `${machineName} is not reachable; its files are read as soon as it answers. ${never}`;
  if (state.kind === 'lost') return `It has ended: ${sentence(state.why)} ${never}`;
  return never;
}

function sentence(reason: string): string {
  return reason.trim() === '' ? 'the reason is not known.' : asSentence(reason);
}

/** Share of its updates in [0, 1]; null: the total is not known, or it makes none. */
export function trainingShare({ step, steps, spec }: Updates): number | null {
  return steps === null || (spec !== undefined && isUntrained(spec)) ? null : Math.min(1, step / steps);
}

/**
 * What it still does when all its updates are made, e.g. "evaluation, 60 of 100 problems", where a full bar would say that
 * it is done; null: it does not run, makes updates, or does not say.
 */
export function stageAfterUpdates(
  training: Updates & Pick<TrainingView, 'spec' | 'state' | 'stage'>,
): string | null {
  const makesNone = isUntrained(training.spec) || trainingShare(training) === 1;
  return training.state.kind === 'running' && makesNone ? training.stage : null;
}

/** Pocket policies are read or pre-trained before the trainer's first stage. */
export function isPreTraining({
  spec,
  state,
  stage,
  step,
}: Pick<TrainingView, 'spec' | 'state' | 'stage' | 'step'>): boolean {
  return spec.kind === 'pocket' && state.kind === 'running' && stage === null && step === 0;
}

/**
 * How long it ran or has been running over all of its starts, milliseconds; null before it started. `now`: milliseconds since the
 * epoch.
 */
export function trainingRanMs(
  {
    startedAt,
    endedAt,
    state,
    earlierStarts = [],
  }: Pick<TrainingView, 'startedAt' | 'endedAt' | 'state' | 'earlierStarts'>,
  now: number,
): number | null {
  const between = (from: string, to: number): number => Math.max(0, to - Date.parse(from));
  const before = earlierStarts.reduce((sum, one) => sum + between(one.startedAt, Date.parse(one.endedAt)), 0);
  if (startedAt === null) return before > 0 ? before : null;
  const lastSeen = state.kind === 'unknown' ? Date.parse(state.since) : now;
  return before + between(startedAt, endedAt === null ? lastSeen : Date.parse(endedAt));
}

export function experimentStatus({ state }: Pick<ExperimentView, 'state'>): StatusLabel {
  switch (state.kind) {
    case 'running':
      return { tone: 'active', text: 'Running' };
    case 'paused':
      return { tone: 'quiet', text: 'Paused' };
    case 'done':
      return { tone: 'good', text: 'Done' };
    case 'failed':
      return { tone: 'bad', text: 'Failed' };
    default:
      return assertNever(state);
  }
}

type Named = Pick<TrainingView, 'name' | 'title' | 'agents' | 'reproductionId' | 'spec'> & {
  readonly experimentId?: TrainingView['experimentId'];
};

/** The name within an experiment, without the experiment's name, which all of them begin with: "RS², seed 11". */
export function trainingShortName({
  name,
  experimentId = null,
}: Pick<Named, 'name' | 'experimentId'>): string {
  return experimentId === null ? name : name.slice(name.indexOf(': ') + 1).trim();
}

/**
 * The two lines of a training in a list, where long ones are cut: of those that differ in their seed alone the second begins
 * with it.
 */
export function trainingLines(training: Named): readonly [first: string, second: string] {
  const { title, agents, reproductionId, spec } = training;
  const seed = seedOfTraining(spec);
  const name = trainingShortName(training);
  const own = nameWithoutSeed(name);
  if (seed === null || (reproductionId === undefined && own === name)) return [name, title];
  const first = reproductionId === undefined ? own : title;
  const experiment = training.name.slice(0, -name.length).replace(/: $/, '');
  const more = first === title ? agents.map((agent) => agent.name).join(' + ') : title;
  return [first, `seed ${seed}, ${experiment === '' ? more : experiment}`];
}
