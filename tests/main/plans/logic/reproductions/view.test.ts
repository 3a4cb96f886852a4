import { expect, test } from 'vitest';
import { cellStates } from '../../../../../main/plans/logic/reproductions/cell-states';
import { type Live, viewOfReproduction } from '../../../../../main/plans/logic/reproductions/view';
import { DONE, FAILED, sampleReproduction } from '../../../../support/sample-reproduction';
import { sampleTrainings } from '../../../../support/sample-trainings';

const live = (changes: Partial<Live> = {}): Live => ({
  trainings: new Map(),
  runs: new Map(),
  waitsFor: null,
  studiesAtWork: new Set(),
  slots: 2,
  ...changes,
});
const stateOf = (view: ReturnType<typeof viewOfReproduction>, id: string) =>
  view.steps.find((step) => step.id === id)?.state;

test('a running search shows its share, and its cell the progress including its training', () => {
  const one = sampleReproduction({
    'train:a': DONE,
    'serve:a': DONE,
    'search:a': { state: { kind: 'begun' }, studyId: 's1', runId: 's1.0.11' },
  });
  const runs = new Map([['s1.0.11', { searched01: 0.5, graded01: 0.25 }]]);
  const view = viewOfReproduction(one, live({ runs, studiesAtWork: new Set(['s1']) }));
  expect(stateOf(view, 'search:a')).toEqual({ kind: 'running', share01: 0.5 });
  expect(stateOf(view, 'grade:a')).toEqual({ kind: 'running', share01: 0.25 });
  expect(view).toMatchObject({ state: { kind: 'running' }, done: 2, total: 12 });
  // By the estimates: the other training on one of two lanes, its server, five eighths of a search (half is written, a
  // quarter graded) and a whole one, metrics.
  expect(view.secondsLeft).toBe(10 / 2 + 10 + 6.25 + 10 + 20);
  const spent = 3.75;
  expect(view.progress).toEqual({ share01: spent / (spent + 51.25), of: 'time' });
  const cells = cellStates(one, view.steps);
  expect(cells.get('base.pass-1')).toEqual({ kind: 'running', share01: 0.75 });
  expect(cells.get('base.pass-n')).toEqual({ kind: 'empty' });
});

test('a training under way says by its pace how long the others will take', () => {
  const one = sampleReproduction({ 'train:a': { state: { kind: 'begun' }, trainingId: 't1' } });
  const [training] = sampleTrainings();
  if (training === undefined) throw new Error('there is a training');
  const state = { kind: 'running', pid: 1 } as const;
  const pace = (step: number, secondsLeft: number) =>
    new Map([['t1', { ...training, state, step, steps: 20, secondsLeft }]]);
  const before = viewOfReproduction(one, live()).secondsLeft ?? Number.NaN;
  // Half of it done with 30 s to go: 60 s, six times the estimate, so both trainings are, on two lanes.
  const view = viewOfReproduction(one, live({ trainings: pace(10, 30) }));
  expect(stateOf(view, 'train:a')).toEqual({ kind: 'running', share01: 0.5 });
  expect(view.secondsLeft).toBe(before - 20 / 2 + (30 + 60) / 2);
  // The first step says nothing yet.
  expect(viewOfReproduction(one, live({ trainings: pace(0, 3_000) })).secondsLeft).toBe(before);
});

test('the latest steps say how long the others will take, not those before, which ran beside other work', () => {
  const one = sampleReproduction();
  const [step] = one.plan.steps;
  const first = one.record.notes['train:a'];
  if (step === undefined || first === undefined) throw new Error('there is a training');
  const leftAfter = (took: readonly number[]) => {
    const done = took.map((_, at) => ({ ...step, id: `done:${at}` }));
    const notes = took.map((seconds, at) => [
      `done:${at}`,
      { ...first, ...DONE, took: { ...first.took, seconds } },
    ]);
    return viewOfReproduction(
      {
        ...one,
        plan: { ...one.plan, steps: [...done, ...one.plan.steps] },
        record: { ...one.record, notes: { ...one.record.notes, ...Object.fromEntries(notes) } },
      },
      live(),
    ).secondsLeft;
  };
  const usual = Array.from({ length: 10 }, () => 10);
  expect(leftAfter([400, 400, ...usual])).toBe(leftAfter(usual));
  expect(leftAfter([400, ...usual.slice(1)])).toBeGreaterThan(leftAfter(usual) ?? Number.NaN);
});

test('a waiting step says for what, a blocked one by what; the first failure is reported for all', () => {
  const one = sampleReproduction({ 'train:a': DONE, 'serve:a': DONE, 'train:b': FAILED });
  const why = 'Another study is running.';
  const view = viewOfReproduction(one, live({ waitsFor: why }));
  expect(stateOf(view, 'search:a')).toEqual({ kind: 'waiting', why });
  expect(stateOf(view, 'search:ab')).toEqual({ kind: 'blocked', by: 'train:b' });
  expect(cellStates(one, view.steps).get('team.pass-1')).toEqual({
    kind: 'failed',
    message: 'train:b: It broke.',
  });
  const ended = { ...one, record: { ...one.record, endedAt: '2026-01-02T00:00:00.000Z' } };
  expect(viewOfReproduction(ended, live()).state).toEqual({ kind: 'failed', message: 'train:b: It broke.' });
});

test('it is pausing until its study has stopped, and paused then', () => {
  const halted = { state: { kind: 'halted' }, studyId: 's1', runId: 's1.0.11' } as const;
  const one = sampleReproduction({ 'search:a': halted });
  const paused = { ...one, record: { ...one.record, paused: true } };
  expect(viewOfReproduction(paused, live({ studiesAtWork: new Set(['s1']) })).state.kind).toBe('pausing');
  const view = viewOfReproduction(paused, live());
  expect(view.state.kind).toBe('paused');
  expect(stateOf(view, 'search:a')).toEqual({ kind: 'waiting', why: 'Paused.' });
  expect(view.secondsLeft).toBeNull();
});

test('without an expectation the progress is one of steps, and says so', () => {
  const one = sampleReproduction({ 'train:a': DONE });
  const nothing = { seconds: null, gpuSeconds: null, tokens: null };
  const steps = one.plan.steps.map((step) => ({ ...step, estimate: nothing }));
  const view = viewOfReproduction({ ...one, plan: { ...one.plan, steps } }, live());
  expect(view.progress).toEqual({ share01: 1 / 12, of: 'steps' });
  expect(view.secondsLeft).toBeNull();
});
