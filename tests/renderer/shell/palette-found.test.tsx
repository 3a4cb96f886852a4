import { expect, test } from 'vitest';
import type { StudyView } from '../../../preload/contract';
import { filterActions } from '../../../renderer/shell/palette-filter';
import { foundActions, settingActions } from '../../../renderer/shell/palette-found';
import { libraryActions } from '../../../renderer/shell/palette-library';
import { createWorkbenchState } from '../../../renderer/state';
import { catchingFailures } from '../../../renderer/workbench-client';
import { sampleStudy } from '../../support/sample-study';
import { createSampleWorkbench } from '../../support/sample-workbench';

const state = createWorkbenchState(catchingFailures(createSampleWorkbench().api));
const views = ['One', 'Two'].map(
  (name): StudyView => ({
    study: sampleStudy({ id: name, name, createdAt: '2026-01-05T08:00:00.000Z' }),
    state: { kind: 'planned' },
    hues: [0, 1, 2],
    progress: {
      nodesDone: 0,
      nodesTotal: 5_520,
      gradedDone: 0,
      problemsDone: 0,
      problemsTotal: 180,
      elapsedMs: 0,
      remainingMs: null,
    },
    warnings: [],
    finishedAt: null,
  }),
);
const found = (query: string, at: string | null = null): readonly string[] =>
  foundActions(query, state, at === null ? { kind: 'home' } : { kind: 'study', studyId: at }, views).map(
    ({ label }) => label ?? '',
  );

test('a problem is found by its id in every study, once in each', () => {
  expect(found('test/007')).toEqual(['pocket/test/007 · One', 'pocket/test/007 · Two']);
  expect(found('007 two')).toEqual(['pocket/test/007 · Two']);
});

test('a run is found by its configuration in every other study, narrowed down by the study', () => {
  expect(found('homog')).toEqual(['Run: homogeneous', 'Run: homogeneous']);
  expect(found('homog two')).toEqual(['Run: homogeneous']);
  expect(found('homog', 'One')).toEqual(['Run: homogeneous']);
});

test('problems of the open study are listed anyway, and a study alone finds none of its problems', () => {
  expect(found('test/007', 'One')).toEqual(['pocket/test/007 · Two']);
  expect(found('one')).toEqual([]);
  expect(found('p')).toEqual([]);
});

test('"notifications" leads to its settings', () => {
  const [group] = filterActions('notifications', [...settingActions(state)]);
  const labels = group !== undefined && 'actions' in group ? group.actions.map(({ label }) => label) : [];
  expect(labels).toContain('Setting: Notify when');
  expect(labels).toContain('Setting: Webhook');
});

test('benchmarks and recordings of the library are found by name and id', () => {
  const library = libraryActions(state, {
    benchmarks: [{ id: 'humaneval', name: 'HumanEval', about: '164 problems' }],
    recordings: [{ id: 'samples', name: 'GPT samples', about: 'of humaneval' }],
  });
  const shown = (query: string) => JSON.stringify(filterActions(query, [...library]));
  expect(shown('humaneval')).toContain('Benchmark: HumanEval');
  expect(shown('gpt')).toContain('Recording: GPT samples');
  expect(shown('gpt')).not.toContain('HumanEval"');
});
