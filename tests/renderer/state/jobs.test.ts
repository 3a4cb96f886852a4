import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../preload/contract';
import { createWorkbenchState, readyValue, type WorkbenchState } from '../../../renderer/state';
import { withItem } from '../../../renderer/state/live-list';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import { busyLab, sampleJob } from '../../support/sample-jobs';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

async function open(options: SampleOptions = {}) {
  const sample = createSampleWorkbench({ problems: 4, lab: busyLab(), ...options });
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the jobs', () => state.jobs.store.getState().kind !== 'loading');
  return { sample, state };
}
const jobsOf = (state: WorkbenchState): readonly JobView[] => readyValue(state.jobs.store.getState()) ?? [];
const notices = (state: WorkbenchState) => state.notices.store.getState().map(({ message }) => message);

describe('the list of jobs', () => {
  it('has the newest first, and keeps a job in its place when it changes', async () => {
    const { sample, state } = await open();
    const before = jobsOf(state).map(({ id }) => id);
    expect(before[0]).toBe('job-queued');
    const train = jobsOf(state).find(({ id }) => id === 'job-train');
    if (train === undefined) throw new Error('no job');
    sample.emit({ kind: 'job-changed', job: { ...train, logBytes: 99 } });
    expect(jobsOf(state).map(({ id }) => id)).toEqual(before);
    expect(jobsOf(state).find(({ id }) => id === 'job-train')?.logBytes).toBe(99);
  });

  it('does not lose events that arrive while it loads', async () => {
    const sample = createSampleWorkbench({ problems: 4, lab: busyLab() });
    const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
    sample.emit({ kind: 'job-changed', job: sampleJob({ id: 'just-now' }, 0) });
    sample.emit({ kind: 'job-removed', jobId: 'job-done' });
    await eventually('the jobs', () => state.jobs.store.getState().kind !== 'loading');
    const ids = jobsOf(state).map(({ id }) => id);
    expect(ids[0]).toBe('just-now');
    expect(ids).not.toContain('job-done');
  });

  it('says why it cannot be read', async () => {
    const { state } = await open({ refuse: { 'job.list': { code: 'internal', message: 'No disk.' } } });
    expect(state.jobs.store.getState()).toMatchObject({ kind: 'failed', error: { message: 'No disk.' } });
  });

  it('puts a new job first', () => {
    const [old, young] = [sampleJob({ id: 'a' }, 10), sampleJob({ id: 'b' }, 5)];
    expect(withItem([old], young).map(({ id }) => id)).toEqual(['b', 'a']);
  });
});

describe('a job', () => {
  it('that was started is gone to', async () => {
    const { state } = await open();
    const refused = await state.jobs.start({ machineId: 'gpu1', name: 'x', commandLine: 'true' });
    expect(refused).toBeNull();
    expect(state.location.store.getState().route).toMatchObject({
      kind: 'jobs',
      jobId: jobsOf(state)[0]?.id,
    });
  });

  it('that main refuses is shown in the form, which stays open', async () => {
    const refusal = { code: 'conflict', message: 'No room.' } as const;
    const { state } = await open({ refuse: { 'job.start': refusal } });
    expect(await state.jobs.start({ machineId: 'gpu1', name: 'x', commandLine: 'true' })).toEqual(refusal);
    expect(state.location.store.getState().route.kind).toBe('home');
  });

  it('shows that it is being stopped until main has answered', async () => {
    const { state } = await open();
    const stopping = state.jobs.stop('job-train');
    expect(state.jobs.pendingActions.getState().get('job-train')).toBe('stop');
    await stopping;
    expect(state.jobs.pendingActions.getState().size).toBe(0);
    expect(jobsOf(state).find(({ id }) => id === 'job-train')?.state.kind).toBe('exited');
  });

  it('that is removed takes its page with it', async () => {
    const { state } = await open();
    state.location.go({ kind: 'jobs', jobId: 'job-done' });
    await state.jobs.remove('job-done');
    expect(state.location.store.getState().route).toEqual({ kind: 'jobs', jobId: null });
  });

  it('is removed with others, and one notice tells of those that were refused', async () => {
    const { state } = await open();
    await state.jobs.removeMany(['job-done', 'job-failed']);
    expect(jobsOf(state).map(({ id }) => id)).not.toContain('job-failed');
    expect(notices(state)).toEqual([]);
    const refused = await open({
      refuse: { 'job.remove': { code: 'unavailable', message: 'gpu1 does not answer.' } },
    });
    await refused.state.jobs.removeMany(['job-done', 'job-failed']);
    expect(notices(refused.state)).toEqual(['2 of 2 jobs could not be removed. gpu1 does not answer.']);
  });

  it('says where its log was saved, and nothing where the dialog was closed', async () => {
    const { state } = await open();
    await state.jobs.saveLog('job-train', 'output');
    expect(notices(state)[0]).toMatch(/^Saved the log: .* MB in \/home\/lab\/job-train\.log$/);
    const closed = await open({
      refuse: { 'job.chooseLogFile': { code: 'cancelled', message: 'The dialog was closed.' } },
    });
    await closed.state.jobs.saveLog('job-train', 'output');
    expect(notices(closed.state)).toEqual([]);
  });
});

describe('a launch', () => {
  it('goes to the server that it has started', async () => {
    const { state } = await open();
    expect(await state.launches.launch('qwen3-8b')).toBe(true);
    expect(state.location.store.getState().route).toEqual({ kind: 'servers', serverId: 'server-boba' });
  });

  it('that was removed by mistake comes back', async () => {
    const { sample, state } = await open();
    const [launch] = busyLab().launches ?? [];
    if (launch === undefined) throw new Error('no launch');
    await state.launches.remove(launch);
    const undo = state.notices.store.getState().at(-1)?.action;
    undo?.run();
    await eventually('its return', () => sample.calls.filter((name) => name === 'launch.save').length === 1);
    const answer = await sample.api.call('launch.list', {});
    expect(answer.ok && answer.value.some(({ id }) => id === launch.id)).toBe(true);
  });
});

describe('a notice of a job', () => {
  const notice = {
    kind: 'notification',
    about: 'failed',
    title: 'Train has failed',
    body: 'It ended with exit code 1.',
    path: '/jobs/job-failed',
  } as const;

  it('leads to the job', async () => {
    const { sample, state } = await open();
    sample.emit(notice);
    const [first] = state.notices.store.getState();
    expect(first).toMatchObject({ level: 'error', title: notice.title, message: notice.body });
    first?.action?.run();
    expect(state.location.store.getState().route).toEqual({ kind: 'jobs', jobId: 'job-failed' });
  });

  it('is not shown while the job is open, nor against the settings', async () => {
    const { sample, state } = await open();
    state.location.go({ kind: 'jobs', jobId: 'job-failed' });
    sample.emit(notice);
    state.location.go({ kind: 'home' });
    await state.settings.change({ notify: { done: true, failed: false, stalled: true } });
    sample.emit(notice);
    expect(notices(state)).toEqual([]);
  });
});
