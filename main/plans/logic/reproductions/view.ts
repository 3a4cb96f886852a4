import type {
  ReproductionStep,
  ReproductionView,
  StepState,
  TrainingView,
} from '../../../../preload/contract';
import { jobHasEnded } from '../../../../preload/contract/folds';
import { hasEntered } from '../../../../preload/contract/plans';
import { isSettled, noteOf, type StepNote } from '../plan-record';
import { blockedSteps, needsAreDone, planState } from '../step-status';
import type { Reproduction } from './record';

/** The present state of the trainings and studies that the record refers to. */
export type Live = {
  readonly trainings: ReadonlyMap<string, TrainingView>;
  /** By run id: shares of its programs that are written, and graded. */
  readonly runs: ReadonlyMap<string, { readonly searched01: number; readonly graded01: number }>;
  /** In words; null: nothing outside of the plan. */
  readonly waitsFor: string | null;
  /** Ids of studies that are at work. */
  readonly studiesAtWork: ReadonlySet<string>;
  /** Pocket trainings that may run at once. */
  readonly slots: number;
};

export function viewOfReproduction(reproduction: Reproduction, live: Live): ReproductionView {
  const { record, plan } = reproduction;
  const blocked = blockedSteps(reproduction);
  const titleOf = new Map(plan.steps.map(({ id, title }) => [id, title]));
  const steps = plan.steps.map((step): ReproductionStep => {
    const note = noteOf(record, step.id);
    const by = blocked.get(step.id);
    const { trainingId, studyId, runId, serverIds, startedAt, endedAt, took } = note;
    const state: StepState =
      by === undefined
        ? stateOf(reproduction, step.id, note, live)
        : { kind: 'blocked', by: titleOf.get(by) ?? by };
    return { ...step, state, trainingId, studyId, runId, serverIds, startedAt, endedAt, took };
  });
  const done = steps.filter(({ state }) => state.kind === 'done').length;
  const time = timeOf(steps, live);
  const state = stateOfAll(reproduction, live);
  return {
    id: record.id,
    order: record.order,
    title: `${record.exhibit.paper.title}, ${record.exhibit.place}`,
    exhibitDigest: record.exhibitDigest,
    scale: record.order.scale,
    state,
    createdAt: record.createdAt,
    endedAt: record.endedAt,
    steps,
    done,
    total: steps.length,
    progress: progressOf(state, time, done / Math.max(1, steps.length)),
    secondsLeft: record.endedAt === null && !record.paused ? (time?.left ?? null) : null,
    readOnly: record.readOnly,
    ...(record.readOnly && hasEntered(record.exhibit) ? { entered: record.exhibit } : {}),
  };
}

function stateOf(reproduction: Reproduction, stepId: string, note: StepNote, live: Live): StepState {
  const { state } = note;
  switch (state.kind) {
    case 'done':
    case 'failed':
      return state;
    case 'halted':
      return {
        kind: 'waiting',
        why: reproduction.record.paused ? 'Paused.' : (live.waitsFor ?? 'Resumes soon.'),
      };
    case 'begun':
      return startedState(reproduction, stepId, note, live);
    case 'planned':
      return plannedState(reproduction, stepId, live);
  }
}

function startedState(reproduction: Reproduction, stepId: string, note: StepNote, live: Live): StepState {
  const training = live.trainings.get(note.trainingId ?? '');
  if (training !== undefined) {
    const { state, step, steps } = training;
    if (state.kind === 'queued') return { kind: 'waiting', why: state.why };
    return { kind: 'running', share01: steps === null ? null : Math.min(1, step / steps) };
  }
  if (note.studyId === null || reproduction.work.get(stepId)?.kind !== 'search') {
    return { kind: 'running', share01: null };
  }
  const share = live.runs.get(note.runId ?? '');
  if (share !== undefined) return { kind: 'running', share01: share.searched01 };
  if (live.studiesAtWork.has(note.studyId)) return { kind: 'running', share01: null };
  return { kind: 'waiting', why: live.waitsFor ?? 'Its study starts soon.' };
}

function plannedState(reproduction: Reproduction, stepId: string, live: Live): StepState {
  if (reproduction.record.paused || reproduction.record.endedAt !== null) return { kind: 'planned' };
  const step = reproduction.plan.steps.find(({ id }) => id === stepId);
  const work = reproduction.work.get(stepId);
  if (step === undefined || work === undefined) return { kind: 'planned' };
  if (work.kind === 'grade') {
    const search = noteOf(reproduction.record, work.searchStepId);
    const share = search.state.kind === 'begun' ? live.runs.get(search.runId ?? '') : undefined;
    return share === undefined ? { kind: 'planned' } : { kind: 'running', share01: share.graded01 };
  }
  if (!needsAreDone(reproduction, step)) return { kind: 'planned' };
  if (work.kind === 'train') return { kind: 'waiting', why: 'Waits until another training is done.' };
  if (work.kind === 'search') return { kind: 'waiting', why: live.waitsFor ?? 'Waits for its batch.' };
  if (work.kind === 'metrics') return { kind: 'waiting', why: 'Waits until other programs are read.' };
  return { kind: 'planned' };
}

function stateOfAll(reproduction: Reproduction, live: Live): ReproductionView['state'] {
  const state = planState(reproduction);
  const stillRuns = ({ id }: { readonly id: string }): boolean => {
    const note = noteOf(reproduction.record, id);
    if (note.shared || isSettled(note)) return false;
    const training = live.trainings.get(note.trainingId ?? '');
    if (training !== undefined) return !jobHasEnded(training.state);
    return note.studyId !== null && live.studiesAtWork.has(note.studyId);
  };
  return state.kind === 'paused' && reproduction.plan.steps.some(stillRuns) ? { kind: 'pausing' } : state;
}

function progressOf(
  state: ReproductionView['state'],
  time: Time | null,
  stepShare01: number,
): ReproductionView['progress'] {
  if (state.kind === 'done') return { share01: 1, of: 'time' };
  if (time === null || time.spent + time.left === 0) return { share01: stepShare01, of: 'steps' };
  return { share01: time.spent / (time.spent + time.left), of: 'time' };
}

type Time = { readonly spent: number; readonly left: number };

/**
 * What the finished steps took, and the estimate for the remaining ones, scaled for each kind of step by how much faster or
 * slower the latest finished steps, and trainings under way, are than estimated. Trainings run in parallel, other steps do not.
 * null: an estimate is missing.
 */
function timeOf(steps: readonly ReproductionStep[], { slots, trainings }: Live): Time | null {
  let spent = 0;
  let left = 0;
  // A search takes until its last program is graded.
  const graded = new Map(
    steps.flatMap(({ kind, needs, state }) =>
      kind === 'grade' ? needs.map((need) => [need, shareOf(state)] as const) : [],
    ),
  );
  for (const kind of ['train', 'serve', 'search', 'metrics'] as const) {
    const own = steps.filter((step) => step.kind === kind && step.reuse === null);
    const took = sumOf(own, ({ state, took }) => (state.kind === 'done' ? (took.seconds ?? 0) : 0));
    const known = own
      .flatMap((step) => {
        const seconds = wholeSeconds(step, trainings.get(step.trainingId ?? ''));
        return seconds > 0 ? [{ seconds, estimated: step.estimate.seconds ?? 0 }] : [];
      })
      .slice(-STEPS_OF_PACE);
    const estimated = sumOf(known, (one) => one.estimated);
    const ratio = estimated > 0 ? sumOf(known, ({ seconds }) => seconds) / estimated : 1;
    const side = kind === 'train' ? Math.max(1, slots) : 1;
    spent += took / side;
    for (const { id, state, estimate } of own) {
      if (state.kind === 'done' || state.kind === 'failed' || state.kind === 'blocked') continue;
      if (estimate.seconds === null) return null;
      const share = (shareOf(state) + (graded.get(id) ?? shareOf(state))) / 2;
      const expected = (estimate.seconds * ratio) / side;
      spent += expected * share;
      left += expected * (1 - share);
    }
  }
  return { spent, left };
}

/** Earlier steps may have run beside other work, and what is ahead will not. */
const STEPS_OF_PACE = 10;
/** A training that has done less of its work says too little of its pace. */
const LEAST_SHARE_OF_PACE = 0.05;

/** The time of a step, or the expected time of a training under way by its pace so far; 0: not known. */
function wholeSeconds({ state, took }: ReproductionStep, training: TrainingView | undefined): number {
  if (state.kind === 'done') return took.seconds ?? 0;
  const share = shareOf(state);
  const left = training?.secondsLeft ?? null;
  return left === null || share < LEAST_SHARE_OF_PACE || share >= 1 ? 0 : left / (1 - share);
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}

/** Of a step's own work. */
export function shareOf(state: StepState): number {
  if (state.kind === 'done') return 1;
  return state.kind === 'running' ? (state.share01 ?? 0) : 0;
}
