import { expect, test } from 'vitest';
import { equalTraining, trainingDeed } from '../../../../../main/plans/logic/reproductions/training-deed';
import type { JobState, TrainingView } from '../../../../../preload/contract';
import { pocketTrainingSchema } from '../../../../../preload/contract';
import { DONE, sampleReproduction } from '../../../../support/sample-reproduction';

const SINCE = '2026-01-02T00:00:00.000Z';
const spec = pocketTrainingSchema.parse({ kind: 'pocket', method: 'grpo', families: ['weak'], seed: 1 });
const training = (state: JobState, more: Partial<TrainingView> = {}): TrainingView => ({
  id: 't1',
  name: 'Train a',
  machineId: 'local',
  jobId: 'j1',
  spec,
  scale: 'pocket',
  title: 'GRPO, weak',
  agents: [{ id: 'weak', name: 'weak' }],
  state,
  stage: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  step: 0,
  steps: 10,
  secondsLeft: null,
  latest: [],
  alarms: [],
  experimentId: null,
  ...more,
});
const exited = (code: number | null, endedAt = '2026-01-03T00:00:00.000Z'): JobState => ({
  kind: 'exited',
  code,
  endedAt,
});
const running: JobState = { kind: 'running', pid: 1 };
const note = sampleReproduction().record.notes['train:a'] ?? (undefined as never);
const begun = { ...note, state: { kind: 'begun' }, trainingId: 't1', attempts: 1 } as const;
const halted = { ...begun, state: { kind: 'halted' } } as const;
const going = { paused: false, since: SINCE };
const paused = { paused: true, since: SINCE };
const kindOf = (...args: Parameters<typeof trainingDeed>) => trainingDeed(...args).kind;

test('one that is planned is begun, unless an equal one is there or the reproduction is paused', () => {
  expect(kindOf(note, null, null, going)).toBe('start');
  expect(kindOf(note, null, null, paused)).toBe('nothing');
  const equal = { training: training(running), own: false };
  expect(trainingDeed(note, null, equal, going)).toEqual({ kind: 'adopt', ...equal });
  expect(kindOf(note, null, equal, paused)).toBe('nothing');
  // A start that was cut off.
  expect(kindOf(note, null, { ...equal, own: true }, paused)).toBe('adopt');
});

test('one that has begun is waited for, collected, gone on with or given up by how its job ended', () => {
  expect(kindOf(begun, training(running), null, going)).toBe('wait');
  expect(kindOf(begun, training(exited(0)), null, going)).toBe('collect');
  expect(kindOf(begun, training(exited(137)), null, going)).toBe('resume');
  expect(kindOf({ ...begun, attempts: 4 }, training(exited(137)), null, going)).toBe('fail');
  expect(kindOf(begun, training(exited(1)), null, going)).toBe('fail');
  // Stopped by hand now; by the end of a session before.
  expect(kindOf(begun, training(exited(75)), null, going)).toBe('fail');
  expect(kindOf(begun, training(exited(75, '2026-01-01T12:00:00.000Z')), null, going)).toBe('resume');
  // Whoever shares it has paused.
  expect(kindOf({ ...begun, shared: true }, training(exited(75)), null, going)).toBe('resume');
  expect(kindOf(begun, null, null, going)).toBe('forget');
});

test('a pause stops what runs once, and what it stopped is gone on with whatever its end was', () => {
  expect(kindOf(begun, training(running), null, paused)).toBe('halt');
  expect(kindOf(halted, training(running), null, paused)).toBe('nothing');
  expect(kindOf(halted, training(exited(75)), null, paused)).toBe('nothing');
  expect(kindOf(halted, training(exited(75)), null, going)).toBe('resume');
  expect(kindOf(halted, training(exited(0)), null, paused)).toBe('collect');
  expect(kindOf({ ...note, ...DONE }, training(running), null, going)).toBe('nothing');
});

test('an equal training has the same settings on the same machine, and is done or goes on', () => {
  const other = training(running, { id: 't2', spec: { ...spec, seed: 2 } });
  const failed = training(exited(1), { id: 't3' });
  const now = training(running, { id: 't4' });
  const done = training(exited(0), { id: 't5' });
  expect(equalTraining(spec, 'local', [other, failed])).toBeNull();
  expect(equalTraining(spec, 'local', [other, failed, now])?.id).toBe('t4');
  expect(equalTraining(spec, 'local', [done, now])?.id).toBe('t5');
  expect(equalTraining(spec, 'lab', [done, now])).toBeNull();
});
