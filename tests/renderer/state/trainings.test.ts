import { describe, expect, it } from 'vitest';
import type { JobState, TrainingView } from '../../../preload/contract';
import {
  createWorkbenchState,
  parsePath,
  pathOf,
  type Route,
  readyValue,
  type WorkbenchState,
} from '../../../renderer/state';
import { rolloutsKey } from '../../../renderer/state/training-resources';
import {
  experimentStatus,
  explainTraining,
  stopKeepsText,
  trainingIsDone,
  trainingShare,
  trainingStatus,
  trainingWasStopped,
} from '../../../renderer/text/trainings';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import { sampleExperiments, samplePocketTraining, sampleTrainings } from '../../support/sample-trainings';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

async function open(options: SampleOptions = {}) {
  const trainings = sampleTrainings();
  const training = { trainings, experiments: sampleExperiments(trainings) };
  const sample = createSampleWorkbench({ problems: 4, training, ...options });
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the trainings', () => state.trainings.store.getState().kind !== 'loading');
  await eventually('the experiments', () => state.experiments.store.getState().kind !== 'loading');
  return { sample, state };
}
const trainingsOf = (state: WorkbenchState): readonly TrainingView[] =>
  readyValue(state.trainings.store.getState()) ?? [];
const routeOf = (state: WorkbenchState): Route => state.location.store.getState().route;

describe('places of trainings and experiments', () => {
  it.each<[string, Route]>([
    ['/training', { kind: 'trainings' }],
    ['/training/t1', { kind: 'training', trainingId: 't1', tab: 'curves' }],
    ['/training/t1?tab=rollouts', { kind: 'training', trainingId: 't1', tab: 'rollouts' }],
    ['/training/new', { kind: 'new-training', machineId: null }],
    ['/training/new?trainer=marti', { kind: 'new-training', machineId: null, trainer: 'marti' }],
    ['/training/new?machine=gpu1&from=t1', { kind: 'new-training', machineId: 'gpu1', from: 't1' }],
    ['/experiments', { kind: 'experiments' }],
    ['/experiments/e%2F1', { kind: 'experiment', experimentId: 'e/1' }],
    ['/experiments/new?preset=five-methods', { kind: 'new-experiment', preset: 'five-methods' }],
    ['/experiments/new', { kind: 'new-experiment' }],
  ])('%s is one, and comes back as its path', (path, route) => {
    expect(parsePath(path)).toEqual(route);
    expect(pathOf(route)).toBe(path);
  });

  it('an unknown tab shows the curves, and more parts are no place', () => {
    expect(parsePath('/training/t1?tab=nothing')).toMatchObject({ tab: 'curves' });
    expect(parsePath('/training/t1/more').kind).toBe('unknown');
  });
});

describe('the list of trainings', () => {
  it('follows the events of main: changed in place, new first, removed', async () => {
    const { sample, state } = await open();
    const before = trainingsOf(state).map(({ id }) => id);
    const live = trainingsOf(state).find(({ id }) => id === 'training-live');
    if (live === undefined) throw new Error('no training');
    sample.emit({ kind: 'training-changed', training: { ...live, step: 185 } });
    expect(trainingsOf(state).map(({ id }) => id)).toEqual(before);
    expect(trainingsOf(state).find(({ id }) => id === 'training-live')?.step).toBe(185);
    sample.emit({ kind: 'training-changed', training: samplePocketTraining({ id: 'young' }, 0) });
    expect(trainingsOf(state)[0]?.id).toBe('young');
    sample.emit({ kind: 'training-removed', trainingId: 'young' });
    expect(trainingsOf(state).map(({ id }) => id)).toEqual(before);
  });

  it('says why it cannot be read', async () => {
    const { state } = await open({ refuse: { 'training.list': { code: 'internal', message: 'No disk.' } } });
    expect(state.trainings.store.getState()).toMatchObject({
      kind: 'failed',
      error: { message: 'No disk.' },
    });
  });
});

describe('a training', () => {
  it('shows that it is being stopped until main has answered', async () => {
    const { state } = await open();
    const stopping = state.trainings.stop('training-live');
    expect(state.trainings.pendingActions.getState().get('training-live')).toBe('stop');
    await stopping;
    expect(state.trainings.pendingActions.getState().size).toBe(0);
    const stopped = trainingsOf(state).find(({ id }) => id === 'training-live');
    expect(stopped !== undefined && trainingWasStopped(stopped)).toBe(true);
  });

  it('that is removed takes its page with it', async () => {
    const { state } = await open();
    state.location.go({ kind: 'training', trainingId: 'training-failed', tab: 'log' });
    const failed = trainingsOf(state).find(({ id }) => id === 'training-failed');
    if (failed === undefined) throw new Error('no sample');
    await state.trainings.remove(failed);
    expect(routeOf(state)).toEqual({ kind: 'trainings' });
    const notice = state.notices.store.getState().at(-1);
    expect(notice?.message).toBe(
      `Moved ${failed.name} to the trash. It can be restored there (Training > Trash).`,
    );
    expect(notice?.action?.label).toBe('Undo');
    notice?.action?.run();
    await expect.poll(() => trainingsOf(state).map(({ id }) => id)).toContain('training-failed');
  });

  it('whose checkpoint is served leads to the server; a refusal is shown', async () => {
    const { state } = await open();
    await state.trainings.serve('training-live', 'reader-000100');
    expect(routeOf(state)).toEqual({ kind: 'servers', serverId: 'server-reader' });
    const refusing = await open({ refuse: { 'training.serve': { code: 'conflict', message: 'No room.' } } });
    await refusing.state.trainings.serve('training-live', 'reader-000100');
    expect(routeOf(refusing.state).kind).toBe('home');
    expect(refusing.state.notices.store.getState().map(({ message }) => message)).toEqual(['No room.']);
  });

  it('whose checkpoints are evaluated leads to the study; a refusal goes back to the dialog', async () => {
    const request = { name: 'x', checkpoints: [{ trainingId: 't', checkpointId: 'c' }], benchmarkId: 'b' };
    const { state } = await open();
    expect(await state.trainings.evaluate(request)).toBeNull();
    expect(routeOf(state)).toEqual({ kind: 'study', studyId: 'study-1' });
    const refusal = { code: 'not-found', message: 'No such benchmark.' } as const;
    const refusing = await open({ refuse: { 'training.evaluate': refusal } });
    expect(await refusing.state.trainings.evaluate(request)).toEqual(refusal);
  });

  it('is what a notice of its job leads to, and causes no notice while it is open', async () => {
    const { sample, state } = await open();
    const notice = {
      kind: 'notification',
      about: 'failed',
      title: 'It failed',
      body: 'Exit code 1.',
      path: '/jobs/job-unknown',
    } as const;
    sample.emit(notice);
    state.notices.store.getState().at(-1)?.action?.run();
    expect(routeOf(state)).toEqual({ kind: 'training', trainingId: 'training-recipe', tab: 'curves' });
    sample.emit(notice);
    expect(state.notices.store.getState()).toHaveLength(1);
  });
});

describe('what belongs to a training', () => {
  it('is asked for again while somebody looks, and not more than twice a second', async () => {
    const { sample, state } = await open();
    const callCount = () => sample.calls.filter((name) => name === 'training.curves').length;
    const end = state.trainingResources.curves.subscribe('training-live');
    const [live] = trainingsOf(state).filter(({ id }) => id === 'training-live');
    if (live === undefined) throw new Error('no training');
    await eventually('the curves', () =>
      state.trainingResources.curves.store.getState().has('training-live'),
    );
    const before = callCount();
    for (let times = 0; times < 20; times++) sample.emit({ kind: 'training-changed', training: live });
    expect(callCount()).toBe(before + 1);
    await eventually('the last word', () => callCount() === before + 2);
    end();
  });

  it('of rollouts is refreshed for this training alone', async () => {
    const { sample, state } = await open();
    const { rollouts } = state.trainingResources;
    const key = rolloutsKey({ trainingId: 'training-live', agentId: 'reader', upToStep: 100 });
    const end = rollouts.subscribe(key);
    await eventually('the rollouts', () => rollouts.store.getState().get(key)?.kind === 'ready');
    const found = readyValue(rollouts.store.getState().get(key) ?? { kind: 'loading' }) ?? [];
    expect(found.every(({ agentId, step }) => agentId === 'reader' && step <= 100)).toBe(true);
    const before = sample.calls.filter((name) => name === 'training.rollouts').length;
    const other = trainingsOf(state).find(({ id }) => id === 'training-marti');
    if (other === undefined) throw new Error('no training');
    sample.emit({ kind: 'training-changed', training: other });
    expect(sample.calls.filter((name) => name === 'training.rollouts')).toHaveLength(before);
    end();
  });
});

describe('an experiment', () => {
  it('is paused and resumed, and a removed one takes its page with it', async () => {
    const { state } = await open();
    const now = () => readyValue(state.experiments.store.getState())?.[0];
    await state.experiments.pause('experiment-five');
    expect(now()?.state.kind).toBe('paused');
    await state.experiments.resume('experiment-five');
    expect(now()?.state.kind).toBe('running');
    state.location.go({ kind: 'experiment', experimentId: 'experiment-five' });
    await state.experiments.remove('experiment-five');
    expect(routeOf(state)).toEqual({ kind: 'experiments' });
    expect(now()).toBeUndefined();
  });

  it('says its state in a word', () => {
    expect(experimentStatus({ state: { kind: 'failed', message: 'x' } })).toEqual({
      tone: 'bad',
      text: 'Failed',
    });
  });
});

describe('the text of a training', () => {
  const exited = (code: number | null): JobState => ({
    kind: 'exited',
    code,
    endedAt: '2026-01-05T10:00:00Z',
  });
  it.each<[JobState, string | null, string]>([
    [{ kind: 'running', pid: 1 }, 'rollout', 'Running: rollout'],
    [{ kind: 'running', pid: 1 }, null, 'Running'],
    [exited(0), null, 'Done'],
    [exited(75), null, 'Stopped'],
    [exited(143), null, 'Failed, code 143'],
    [exited(1), null, 'Failed, code 1'],
    [exited(null), null, 'Killed'],
    [{ kind: 'lost', why: 'the machine was restarted' }, null, 'Lost'],
    [{ kind: 'queued', why: '' }, null, 'Queued'],
  ])('%j in stage %s: %s', (state, stage, text) => {
    expect(trainingStatus({ state, stage }).text).toBe(text);
  });

  it('name the exhibit’s part where one stopped', () => {
    const stopped = { state: exited(75), stage: null, reproductionId: 'r' };
    expect(trainingStatus(stopped).text).toBe('Stopped, part of an exhibit');
  });

  it('distinguish stopped from failed, however it ended; what was done is done', () => {
    const label = (state: JobState) => trainingStatus({ state, stage: null, wasStopped: true }).text;
    expect([exited(143), exited(137), exited(null), exited(0)].map(label)).toEqual([
      'Stopped',
      'Stopped',
      'Stopped',
      'Done',
    ]);
    expect(explainTraining({ state: exited(137), wasStopped: true }, 'gpu1')).toMatch(
      /^You stopped it\. Resume it/,
    );
  });

  it('explain what helps where it stands still, and nothing where it runs', () => {
    expect(explainTraining({ state: exited(75) }, 'gpu1')).toMatch(/Resume it/);
    expect(explainTraining({ state: exited(1) }, 'gpu1')).toMatch(/exit code 1.*log/);
    expect(explainTraining({ state: exited(1), step: 0, failure: 'The disk is full.' }, 'gpu1')).toBe(
      'The training ended with exit code 1: The disk is full. Once that is fixed, resume it: it begins anew, as it had made no update.',
    );
    expect(explainTraining({ state: { kind: 'lost', why: 'the machine was restarted' } }, 'gpu1')).toBe(
      'The training ended without an exit code: the machine was restarted. Resume it to continue from its last checkpoint.',
    );
    expect(explainTraining({ state: exited(0) }, 'gpu1')).toBeNull();
    expect(trainingIsDone({ state: exited(0) })).toBe(true);
  });

  it('says what a stop keeps: of a pocket training everything, and the update where it goes on', () => {
    const { spec } = samplePocketTraining({ id: 'one', name: 'one' }, 1);
    const training = { state: exited(75), spec, step: 1_127 };
    expect(explainTraining(training, 'local')).toBe(
      'You stopped it. Nothing is lost: Resume goes on at update 1,127.',
    );
    // Killed before it could save.
    expect(explainTraining({ ...training, state: exited(137), wasStopped: true }, 'local')).toBe(
      'You stopped it. Resume it to continue from its last saved state.',
    );
    expect(stopKeepsText(training)).toContain('nothing is lost');
    expect(stopKeepsText(training)).not.toContain('no checkpoint yet');
    expect(stopKeepsText({ spec, step: 4 })).toContain(
      'It has no checkpoint yet, so until it is resumed nothing',
    );
    const marti = sampleTrainings().find((one) => one.spec.kind === 'marti');
    expect(marti && stopKeepsText(marti)).toContain('Progress since the last checkpoint may be lost');
  });

  it('know how far it is where the number of steps is known', () => {
    expect(trainingShare({ step: 30, steps: 120 })).toBe(0.25);
    expect(trainingShare({ step: 30, steps: null })).toBeNull();
  });
});
