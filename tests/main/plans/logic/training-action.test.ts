import { expect, test } from 'vitest';
import {
  equalTraining,
  nextTrainingAction,
  type TrainingObservation,
} from '../../../../main/plans/logic/training-action';
import {
  type JobState,
  type PocketTraining,
  pocketTrainingSchema,
  type TrainingView,
} from '../../../../preload/contract';

const SINCE = '2026-01-01T12:00:00.000Z';
const BEFORE = '2026-01-01T11:00:00.000Z';
const AFTER = '2026-01-01T13:00:00.000Z';
const spec: PocketTraining = pocketTrainingSchema.parse({
  kind: 'pocket',
  method: 'grpo',
  families: ['weak'],
  seed: 1,
});

type Step = Parameters<typeof nextTrainingAction>[0];

function step(kind: Step['state']['kind'], shared = false): Step {
  if (kind === 'done') return { shared, state: { kind, reused: false } };
  return { shared, state: kind === 'failed' ? { kind, message: 'It broke.', hint: null } : { kind } };
}

function training(state: JobState, more: Partial<TrainingView> = {}): TrainingView {
  return { id: 't', machineId: 'local', spec, state, startedAt: BEFORE, ...more } as TrainingView;
}

const observed = (state: JobState | null, more: Partial<TrainingObservation> = {}): TrainingObservation => ({
  training: state === null ? null : training(state),
  existing: null,
  paused: false,
  since: SINCE,
  ...more,
});

const exited = (code: number | null, endedAt = AFTER): JobState => ({ kind: 'exited', code, endedAt });
const lost: JobState = { kind: 'lost', why: 'The machine was restarted.' };
const running: JobState = { kind: 'running', pid: 1 };
const shared = step('begun', true);

type Case = readonly [title: string, Step, JobState | null, paused: boolean, action: string];
test.each<Case>([
  ['what is planned is started', step('planned'), null, false, 'start'],
  ['nothing is started while the plan is paused', step('planned'), null, true, 'nothing'],
  ['what runs is waited for', step('begun'), running, false, 'nothing'],
  ['what waits for its machine is waited for', step('begun'), { kind: 'queued', why: '' }, false, 'nothing'],
  ['what runs is stopped by a pause', step('begun'), running, true, 'stop'],
  ['a stop that was cut off is done again', step('halted'), running, true, 'stop'],
  ['what was stopped is waited for where it still runs', step('halted'), running, false, 'nothing'],
  ['what was stopped goes on', step('halted'), exited(75), false, 'resume'],
  ['what was stopped stays so in the pause', step('halted'), exited(75), true, 'nothing'],
  ['what failed and is tried again goes on', step('halted'), exited(1), false, 'resume'],
  ['what is done is collected', step('begun'), exited(0), false, 'collect'],
  ['what is done is collected in a pause, too', step('halted'), exited(0), true, 'collect'],
  ['what failed, failed', step('begun'), exited(1), false, 'fail'],
  ['what somebody stopped is not gone on with', step('begun'), exited(75), false, 'fail'],
  ['what stopped while nobody was there goes on', step('begun'), exited(75, BEFORE), false, 'resume'],
  ['what was killed, and whose job gave up, failed', step('begun'), exited(137), false, 'fail'],
  ['what is lost, and whose job gave up, failed', step('begun'), lost, false, 'fail'],
  ['what is gone is planned again', step('begun'), null, false, 'forget'],
  ['what another plan shares is noted as stopped by a pause', shared, running, true, 'stop'],
  ['and not again', step('halted', true), running, true, 'nothing'],
  ['what another plan shares and stopped goes on', shared, exited(75), false, 'resume'],
  ['what is done stays so, whatever becomes of its training', step('done'), null, false, 'nothing'],
  ['what failed stays so, whatever becomes of its training', step('failed'), running, false, 'nothing'],
])('%s', (_, record, state, paused, action) => {
  expect(nextTrainingAction(record, observed(state, { paused })).kind).toBe(action);
});

test('what has no job, as its start was cut off, goes on', () => {
  const withoutJob = { ...observed(null), training: training(lost, { startedAt: null }) };
  expect(nextTrainingAction(step('begun'), withoutJob).kind).toBe('resume');
});

test('what a person stopped is not gone on with, however it ended, and whenever', () => {
  for (const state of [exited(137), exited(75, BEFORE), lost]) {
    const stopped = { ...observed(null), training: training(state, { wasStopped: true }) };
    expect(nextTrainingAction(step('begun'), stopped)).toMatchObject({ kind: 'fail', cause: 'stopped' });
  }
});

test('a start that was cut off is taken up, also in a pause; that of another plan is not then', () => {
  for (const paused of [false, true]) {
    const own = { training: training(running), own: true };
    expect(nextTrainingAction(step('planned'), observed(null, { paused, existing: own }))).toEqual({
      kind: 'adopt',
      ...own,
    });
  }
  const other = { training: training(running), own: false };
  expect(nextTrainingAction(step('planned'), observed(null, { existing: other })).kind).toBe('adopt');
  const inPause = observed(null, { existing: other, paused: true });
  expect(nextTrainingAction(step('planned'), inPause).kind).toBe('nothing');
});

test('an equal training has the same settings on the same machine, and is done or runs', () => {
  const other = training(running, { id: 't2', spec: { ...spec, seed: 2 } });
  const failed = training(exited(1), { id: 't3' });
  const now = training(running, { id: 't4' });
  const done = training(exited(0), { id: 't5' });
  expect(equalTraining(spec, 'local', [other, failed])).toBeNull();
  expect(equalTraining(spec, 'local', [other, failed, now])?.id).toBe('t4');
  expect(equalTraining(spec, 'local', [done, now])?.id).toBe('t5');
  expect(equalTraining(spec, 'lab', [done, now])).toBeNull();
  // A plan's own that was killed before it had a job is resumed, not begun twice.
  const isOwn = ({ id }: TrainingView) => id === 't6';
  const cutOff = training({ kind: 'lost', why: 'Cut off.' }, { id: 't6', startedAt: null });
  expect(equalTraining(spec, 'local', [failed, cutOff])).toBeNull();
  expect(equalTraining(spec, 'local', [failed, cutOff], isOwn)?.id).toBe('t6');
  expect(equalTraining(spec, 'local', [{ ...cutOff, startedAt: 'then' }], isOwn)).toBeNull();
});
