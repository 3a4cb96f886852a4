import { expect, test } from 'vitest';
import type { Member } from '../../../../../main/plans/logic/experiments/experiment-record';
import { nextDeed } from '../../../../../main/plans/logic/experiments/next-deed';
import type { JobState, TrainingView } from '../../../../../preload/contract';

const SINCE = '2026-01-01T12:00:00.000Z';
const BEFORE = '2026-01-01T11:00:00.000Z';
const AFTER = '2026-01-01T13:00:00.000Z';

function member(kind: 'planned' | 'begun' | 'halted', attempts = 1): Member {
  return { label: 'Base', seed: 1, trainingId: kind === 'planned' ? null : 't', attempts, state: { kind } };
}

function training(state: JobState): TrainingView {
  return { id: 't', state } as TrainingView;
}

const exited = (code: number | null, endedAt = AFTER): JobState => ({ kind: 'exited', code, endedAt });
const lost: JobState = { kind: 'lost', why: 'The machine was restarted.' };
const running: JobState = { kind: 'running', pid: 1 };

type Case = readonly [string, Member, JobState | null, paused: boolean, deed: string];
test.each<Case>([
  ['what is planned is started', member('planned'), null, false, 'start'],
  ['nothing is started while it is paused', member('planned'), null, true, 'nothing'],
  ['what runs is waited for', member('begun'), running, false, 'wait'],
  ['what waits for its machine is waited for', member('begun'), { kind: 'queued', why: '' }, false, 'wait'],
  ['what runs is halted by a pause', member('begun'), running, true, 'halt'],
  ['a halt that was cut off is done again', member('halted'), running, true, 'halt'],
  ['what was halted is waited for where it still runs', member('halted'), running, false, 'wait'],
  ['what was halted goes on', member('halted'), exited(75), false, 'resume'],
  ['what failed and is tried again goes on', member('halted'), exited(1), false, 'resume'],
  ['what is done is collected', member('begun'), exited(0), false, 'collect'],
  ['what is done is collected in a pause, too', member('halted'), exited(0), true, 'collect'],
  ['what failed, failed', member('begun'), exited(1), false, 'fail'],
  ['what somebody stopped is not gone on with', member('begun'), exited(75), false, 'fail'],
  ['what stopped while nobody was there goes on', member('begun'), exited(75, BEFORE), false, 'resume'],
  ['what was killed goes on', member('begun'), exited(null), false, 'resume'],
  ['what got SIGKILL goes on', member('begun'), exited(137), false, 'resume'],
  ['what is lost goes on', member('begun', 3), lost, false, 'resume'],
  ['what is lost again and again failed', member('begun', 4), lost, false, 'fail'],
  ['what is gone is forgotten', member('begun'), null, false, 'forget'],
])('%s', (_, one, state, paused, deed) => {
  const view = state === null ? null : training(state);
  expect(nextDeed({ paused }, one, view, null, SINCE).kind).toBe(deed);
});

test('a start that was cut off is taken up, also in a pause', () => {
  const stray = training(running);
  for (const paused of [false, true]) {
    expect(nextDeed({ paused }, member('planned'), null, stray, SINCE)).toEqual({
      kind: 'adopt',
      trainingId: 't',
    });
  }
});

test('what is done or failed stays so, whatever becomes of its training', () => {
  for (const state of [
    { kind: 'done', seconds: 1 },
    { kind: 'failed', message: '' },
  ] as const) {
    expect(nextDeed({ paused: false }, { ...member('begun'), state }, null, null, SINCE).kind).toBe(
      'nothing',
    );
  }
});
