import { expect, test } from 'vitest';
import {
  experimentRecordSchema,
  newRecord,
  recordOfVersion1,
  stepsOf,
} from '../../../../../main/plans/logic/experiments/experiment-record';
import { noteOf } from '../../../../../main/plans/logic/plan-record';
import type { ExperimentRequest } from '../../../../../preload/contract';

const ORDER: ExperimentRequest = {
  name: 'Two methods',
  rows: [
    { label: 'Base', method: 'base', families: ['reader'], change: {} },
    { label: 'Half', method: 'grpo', families: ['reader'], change: { updates: 5 } },
  ],
  seeds: [1, 2],
  training: { updates: 10 },
};

test('a record of version 1 keeps what is known of its trainings, by their place', () => {
  const { notes: _, ...record } = newRecord('e', ORDER, '2026-01-01T00:00:00.000Z');
  const members = [
    { label: 'Base', seed: 1, trainingId: 'a', attempts: 1, state: { kind: 'done', seconds: 7 } },
    { label: 'Half', seed: 1, trainingId: 'b', attempts: 4, state: { kind: 'failed', message: 'It broke.' } },
    { label: 'Base', seed: 2, trainingId: 'c', attempts: 1, state: { kind: 'halted' } },
    { label: 'Half', seed: 2, trainingId: null, attempts: 0, state: { kind: 'planned' } },
  ];
  const old = { ...record, version: 1, paused: true, members };
  const now = experimentRecordSchema.parse(recordOfVersion1(old));
  expect(now).toMatchObject({ version: 2, id: 'e', order: ORDER, paused: true });
  const { steps } = stepsOf(ORDER).plan;
  expect(steps.map(({ label, seed }) => ({ label, seed }))).toEqual(
    members.map(({ label, seed }) => ({ label, seed })),
  );
  const notes = steps.map(({ id }) => noteOf(now, id));
  expect(notes.map(({ trainingId }) => trainingId)).toEqual(['a', 'b', 'c', null]);
  expect(notes.map(({ state }) => state)).toEqual([
    { kind: 'done', reused: false },
    { kind: 'failed', message: 'It broke.', hint: null },
    { kind: 'halted' },
    { kind: 'planned' },
  ]);
  expect(notes[0]?.took.seconds).toBe(7);
});

test('what is no record of version 1 is refused', () => {
  expect(() => recordOfVersion1({ version: 1, members: [{ state: 'done' }] })).toThrow();
});
