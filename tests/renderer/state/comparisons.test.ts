import { describe, expect, test } from 'vitest';
import { createWorkbenchState, readyValue, type WorkbenchState } from '../../../renderer/state';
import { comparisonKey } from '../../../renderer/state/comparisons';
import { taskLabel } from '../../../renderer/text/tasks';
import { catchingFailures } from '../../../renderer/workbench-client';
import { eventually } from '../../support/eventually';
import { memoryLocation } from '../../support/memory-location';
import {
  createSampleWorkbench,
  type SampleOptions,
  type SampleWorkbench,
} from '../../support/sample-workbench';

const RUNS = [{ runId: 'study-1.single.1' }, { runId: 'study-1.heterogeneous.1' }];
const KEY = comparisonKey(RUNS);

async function open(
  options: SampleOptions = {},
): Promise<{ sample: SampleWorkbench; state: WorkbenchState; callCount: () => number }> {
  const sample = createSampleWorkbench({ problems: 4, ...options });
  const state = createWorkbenchState(catchingFailures(sample.api), memoryLocation());
  await eventually('the studies', () => state.studies.store.getState().kind === 'ready');
  return { sample, state, callCount: () => sample.calls.filter((name) => name === 'comparison.read').length };
}

const read = (state: WorkbenchState) =>
  readyValue(state.comparisons.read.store.getState().get(KEY) ?? { kind: 'loading' });

describe('a comparison', () => {
  test('is asked for once however many look at it', async () => {
    const { state, callCount } = await open();
    state.comparisons.read.subscribe(KEY);
    state.comparisons.read.subscribe(KEY);
    await eventually('the comparison', () => read(state) !== null);
    expect(read(state)?.configurations).toEqual(['single', 'heterogeneous']);
    expect(callCount()).toBe(1);
  });

  test('is asked for again when a study of one of its runs has changed, and not for another', async () => {
    const { sample, state, callCount } = await open();
    state.comparisons.read.subscribe(KEY);
    await eventually('the comparison', () => read(state) !== null);
    sample.emit({ kind: 'analysis-changed', studyId: 'another' });
    expect(callCount()).toBe(1);
    sample.emit({ kind: 'analysis-changed', studyId: 'study-1' });
    await eventually('the next one', () => callCount() === 2);
  });

  test('is asked for again when prices change', async () => {
    const { sample, state, callCount } = await open();
    state.comparisons.read.subscribe(KEY);
    await eventually('the comparison', () => read(state) !== null);
    const [before] = read(state)?.analysis.costs ?? [];
    expect(before?.money).toBeNull();
    const prices = { currency: 'EUR', perGpuHour: 2, perMillionTokens: null };
    const changed = await sample.api.call('settings.change', { prices });
    if (changed.ok) sample.emit({ kind: 'settings-changed', settings: changed.value });
    await eventually('the next one', () => callCount() > 1 && read(state)?.analysis.costs[0]?.money != null);
    expect(read(state)?.analysis.costs[0]?.money).toMatchObject({ currency: 'EUR' });
  });

  test('of many runs is shown as under way once main says how far it is, and can be cancelled', async () => {
    const counts = { done: 412, total: 500, unit: 'runs', secondsLeft: 3.4 } as const;
    const progress = { kind: 'progress', task: 'comparison', activity: 'reading runs', ...counts } as const;
    const { state } = await open({ underWay: { 'comparison.read': progress } });
    expect(state.tasks.store.getState().size).toBe(0);
    state.comparisons.read.subscribe(KEY);
    await eventually('its progress', () => state.tasks.store.getState().has('comparison'));
    const task = state.tasks.store.getState().get('comparison');
    expect(task && taskLabel(task)).toBe('Reading runs, 412 of 500 runs, about 3 s left');
    await state.tasks.cancel('comparison');
    await eventually('its end', () => state.tasks.store.getState().size === 0);
    expect(state.comparisons.read.store.getState().get(KEY)).toMatchObject({
      kind: 'failed',
      error: { code: 'cancelled' },
    });
  });

  test('keeps what was measured of its diversity, by its runs', async () => {
    const { state } = await open();
    await state.comparisons.measureDiversity(RUNS);
    const measured = state.comparisons.diversities.getState();
    expect([...measured.keys()]).toEqual([KEY]);
    expect(new Set(measured.get(KEY)?.cells.map(({ configuration }) => configuration))).toEqual(
      new Set(['single', 'heterogeneous']),
    );
  });

  test('says why its diversity could not be measured', async () => {
    const error = { code: 'conflict', message: 'Another measurement runs.' } as const;
    const { state } = await open({ refuse: { 'comparison.diversity': error } });
    await state.comparisons.measureDiversity(RUNS);
    expect(state.comparisons.diversities.getState().size).toBe(0);
    expect(state.notices.store.getState().map(({ message }) => message)).toContain(error.message);
  });
});

describe('what a person writes to a study', () => {
  test('stands in the list once it is kept', async () => {
    const { state } = await open();
    expect(await state.studyCommands.annotate('study-1', { note: 'as in the paper', tags: ['paper'] })).toBe(
      true,
    );
    const views = readyValue(state.studies.store.getState());
    expect(views?.[0]).toMatchObject({ note: 'as in the paper', tags: ['paper'] });
  });

  test('is not lost silently: a refusal is shown', async () => {
    const error = { code: 'internal', message: 'The disk is full.' } as const;
    const { state } = await open({ refuse: { 'study.annotate': error } });
    expect(await state.studyCommands.annotate('study-1', { note: 'x', tags: [] })).toBe(false);
    expect(state.notices.store.getState().map(({ message }) => message)).toContain(error.message);
  });
});
