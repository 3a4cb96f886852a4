import { describe, expect, it } from 'vitest';
import { exhibitOfRuns } from '../../../preload/contract/plans';
import {
  createWorkbenchState,
  parsePath,
  pathOf,
  type Route,
  readyValue,
  type WorkbenchState,
} from '../../../renderer/state';
import { resultKey } from '../../../renderer/state/exhibits';
import { ONLY } from '../../../renderer/state/resources';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import { sampleReproduction } from '../../support/sample-exhibits';
import { sampleStudy } from '../../support/sample-study';
import { createSampleWorkbench, type SampleOptions } from '../../support/sample-workbench';

const RUNNING = sampleReproduction({ exhibitId: 'homogeneous', done01: 0.5 });

async function open(options: SampleOptions = {}) {
  const sample = createSampleWorkbench({ problems: 4, exhibits: { reproductions: [RUNNING] }, ...options });
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the reproductions', () => state.reproductions.store.getState().kind !== 'loading');
  return { sample, state };
}
const routeOf = (state: WorkbenchState): Route => state.location.store.getState().route;
const viewOf = (state: WorkbenchState) =>
  (readyValue(state.reproductions.store.getState()) ?? []).find(({ id }) => id === RUNNING.id);

it('a study that is removed is said to fill a table of the lab’s own', async () => {
  const table = exhibitOfRuns({ id: 'study-1', name: 'What we have', configurations: ['single'] });
  const entries = [{ exhibit: table, origin: 'own' as const, digest: '' }];
  const { state } = await open({ exhibits: { entries } });
  await state.studyCommands.remove({ ...sampleStudy({}), id: 'study-1', name: 'First' });
  expect(state.notices.store.getState().map(({ level, message }) => [level, message])).toEqual([
    [
      'warning',
      'Moved First to the trash. It fills cells or lines of Table 1 · What we have (what-we-have), which stay empty without it. It can be restored there (Studies > Trash).',
    ],
  ]);
});

describe('routes of exhibits and reproductions', () => {
  it.each<[string, Route]>([
    ['/exhibits', { kind: 'exhibits' }],
    ['/exhibits/homogeneous', { kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket' }],
    [
      '/exhibits/homogeneous?scale=paper&reproduction=r%2F1&panel=steps&cell=a.b',
      {
        kind: 'exhibit',
        exhibitId: 'homogeneous',
        scale: 'paper',
        reproductionId: 'r/1',
        panel: 'steps',
        cell: 'a.b',
      },
    ],
    ['/reproductions/r1', { kind: 'reproduction', reproductionId: 'r1' }],
    ['/edit-exhibit/ours', { kind: 'edit-exhibit', exhibitId: 'ours' }],
    ['/new-exhibit', { kind: 'new-exhibit', from: null }],
    ['/new-exhibit?from=homogeneous', { kind: 'new-exhibit', from: 'homogeneous' }],
    ['/activity', { kind: 'activity' }],
  ])('%s is one, and comes back as its path', (path, route) => {
    expect(parsePath(path)).toEqual(route);
    expect(pathOf(route)).toBe(path);
  });

  it.each(['/exhibits/a/b', '/edit-exhibit', '/new-exhibit/x', '/activity/x', '/reproductions/a/b'])(
    '%s is none',
    (path) => {
      expect(parsePath(path)).toEqual({ kind: 'unknown', path });
    },
  );
});

describe('reproductions', () => {
  it('shows what was started in its exhibit', async () => {
    const { state } = await open({ exhibits: {} });
    const paper = RUNNING.order.paper;
    expect(await state.reproductions.start({ exhibitId: 'diversity', scale: 'pocket', paper })).toBeNull();
    expect(routeOf(state)).toMatchObject({ kind: 'exhibit', exhibitId: 'diversity', scale: 'pocket' });
  });

  it('gives a refusal to the screen that asked, and stays where it was', async () => {
    const refusal = { code: 'conflict', message: 'A study is running.' } as const;
    const { state } = await open({ refuse: { 'reproduction.start': refusal } });
    const { order } = RUNNING;
    expect(await state.reproductions.start(order)).toEqual(refusal);
    expect(routeOf(state)).toEqual({ kind: 'home' });
  });

  it('marks a deed until main has answered', async () => {
    const { state } = await open();
    const pausing = state.reproductions.pause(RUNNING.id);
    expect(state.reproductions.pendingActions.getState().get(RUNNING.id)).toBe('pause');
    await pausing;
    expect(state.reproductions.pendingActions.getState().size).toBe(0);
    expect(viewOf(state)?.state.kind).toBe('paused');
  });

  it('marks a step separately from its reproduction', async () => {
    const { state } = await open();
    const moving = state.reproductions.move(RUNNING.id, 'search:a:11', 'gpu1');
    expect(state.reproductions.pendingActions.getState().has(RUNNING.id)).toBe(false);
    expect([...state.reproductions.pendingActions.getState().values()]).toEqual(['move']);
    await moving;
  });

  it('leaves the place of one that was removed', async () => {
    const { state } = await open();
    state.location.go({ kind: 'reproduction', reproductionId: RUNNING.id });
    await state.reproductions.remove(RUNNING.id);
    expect(routeOf(state)).toEqual({ kind: 'exhibits' });
    state.location.go({ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket', reproductionId: 'x' });
    state.reproductions.removed('x');
    expect(routeOf(state)).toEqual({ kind: 'exhibit', exhibitId: 'homogeneous', scale: 'pocket' });
  });
});

describe('results of exhibits', () => {
  const key = resultKey({ exhibitId: 'homogeneous', scale: 'pocket', reproductionId: null });

  it('are asked for again when a reproduction of theirs continues, and not for each of its steps', async () => {
    const { sample, state } = await open();
    state.exhibits.results.subscribe(key);
    await eventually('the result', () => state.exhibits.results.store.getState().get(key)?.kind === 'ready');
    const callCount = () => sample.calls.filter((name) => name === 'exhibit.result').length;
    const before = callCount();
    for (let at = 0; at < 20; at += 1) sample.emit({ kind: 'reproduction-changed', reproduction: RUNNING });
    await eventually('another answer', () => callCount() > before);
    expect(callCount()).toBe(before + 1);
  });

  it('are asked for again when the files change, as the list is', async () => {
    const { sample, state } = await open();
    state.exhibits.list.subscribe(ONLY);
    await eventually('the list', () => state.exhibits.list.store.getState().get(ONLY)?.kind === 'ready');
    const callCount = () => sample.calls.filter((name) => name === 'exhibit.list').length;
    const before = callCount();
    sample.emit({ kind: 'exhibits-changed' });
    await eventually('another answer', () => callCount() > before);
  });
});

describe('exhibits of the lab', () => {
  it('gives a refused save back to the editor', async () => {
    const { state } = await open();
    expect(await state.exhibits.save('{}')).toMatchObject({ code: 'not-allowed' });
    expect(routeOf(state)).toEqual({ kind: 'home' });
  });

  it('leaves an exhibit that was removed', async () => {
    const { state } = await open();
    state.location.go({ kind: 'edit-exhibit', exhibitId: 'ours' });
    await state.exhibits.remove('ours');
    expect(routeOf(state)).toEqual({ kind: 'exhibits' });
  });
});
