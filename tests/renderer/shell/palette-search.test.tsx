import { expect, test } from 'vitest';
import type { StudyView } from '../../../preload/contract';
import { filterActions } from '../../../renderer/shell/palette-filter';
import { libraryActions } from '../../../renderer/shell/palette-library';
import { searchActions, settingActions } from '../../../renderer/shell/palette-search';
import { runActions, studyEntry } from '../../../renderer/shell/palette-studies';
import { createWorkbenchState, pathOf, problemKey } from '../../../renderer/state';
import { withDistinctNames } from '../../../renderer/text/studies';
import { catchingFailures } from '../../../renderer/workbench-client';
import { memoryLocation } from '../../support/memory-location';
import { sampleStudy } from '../../support/sample-study';
import { createSampleWorkbench } from '../../support/sample-workbench';

const state = createWorkbenchState(catchingFailures(createSampleWorkbench().api), memoryLocation());
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
const entries: Parameters<typeof searchActions>[4] = {
  reproductions: [
    {
      ...{ id: 'r1', title: 'MARTI-MARS², Figure 3', exhibitId: 'homogeneous' },
      ...{ scale: 'paper', description: 'paper scale, done', action: null },
    },
  ],
  experiments: [
    { id: 'e1', name: 'Five methods', description: 'Done', hasResults: true },
    { id: 'e2', name: 'Six methods', description: 'Running', hasResults: false },
  ],
};
const TITLES = new Map([
  [problemKey(views[0]?.study.runs[0]?.benchmarkId ?? '', 'pocket/test/007'), 'Größtes'],
]);
const actions = (query: string, at: string | null = null, of: readonly StudyView[] = views) =>
  searchActions(
    query,
    state,
    at === null ? { kind: 'home' } : { kind: 'study', studyId: at },
    of,
    entries,
    TITLES,
  );
const found = (...query: Parameters<typeof actions>): readonly string[] =>
  actions(...query).map(({ label }) => label ?? '');
/** Where the entry with this label leads to. */
const reached = (label: string, query: string, of: readonly StudyView[] = views): string => {
  const action = actions(query, null, of).find((one) => one.label === label) ?? expect.fail(label);
  action.onClick?.(new MouseEvent('click') as never);
  return pathOf(state.location.store.getState().route);
};
/** What of it the palette shows for the query. */
const shown = (query: string, of: readonly StudyView[]): string =>
  JSON.stringify(filterActions(query, [...actions(query, null, of)]));

test('studies of one name have their ids behind it', () => {
  const named = withDistinctNames([
    ...views,
    ...views.map((view) => ({ ...view, study: { ...view.study, id: `${view.study.id}-2`, name: 'One' } })),
  ]);
  expect(named.map(({ study }) => study.name)).toEqual(['One (One)', 'Two', 'One (One-2)', 'One (Two-2)']);
});

test('a problem is found by its id in every study, once in each', () => {
  expect(found('test/007')).toEqual(['pocket/test/007 · One', 'pocket/test/007 · Two']);
  expect(found('007 two')).toEqual(['pocket/test/007 · Two']);
});

test('a problem is found by its title, which stands under it', () => {
  expect(found('größtes two')).toEqual(['pocket/test/007 · Two']);
  expect(shown('größtes', views)).toContain('"description":"Größtes"');
  const [one] = views;
  if (one === undefined) throw new Error('There is no study');
  expect(JSON.stringify(filterActions('größtes', runActions(state, one.study, TITLES)))).toContain('007');
});

test('a run is found by its configuration in every other study, narrowed down by the study', () => {
  expect(found('homog')).toEqual(['Run: homogeneous', 'Run: homogeneous']);
  expect(found('homog two')).toEqual(['Run: homogeneous']);
  expect(found('homog', 'One')).toEqual(['Run: homogeneous']);
});

test('runs and problems are those of other studies only where one is open', () => {
  const groups = (...query: Parameters<typeof actions>) =>
    [...new Set(actions(...query).map(({ group }) => group))].join();
  expect(groups('homog')).toBe('Runs');
  expect(groups('homog', 'One')).toBe('Runs of other studies');
  expect(groups('test/007')).toBe('Problems');
  expect(groups('test/007', 'One')).toBe('Problems of other studies');
});

test('a study is found by its tags and the words of its note', () => {
  const [one] = views;
  if (one === undefined) throw new Error('There is no study');
  const entry = studyEntry(state, { ...one, note: 'Seeds of May', tags: ['good'] });
  for (const query of ['good', 'may'])
    expect(JSON.stringify(filterActions(query, [entry]))).toContain('study-One');
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

const searched = views.map((view): StudyView => ({ ...view, state: { kind: 'paused' } }));

test('a node is found by its problem and number in every run that has begun, without its tree', () => {
  const runs = searched[0]?.study.runs.map(({ configuration }) => configuration) ?? [];
  for (const query of ['007 node 17', 'node 17 007', '#17 007']) {
    const labels = found(query, null, searched).filter((label) => label.includes('node 17'));
    expect(labels).toHaveLength(runs.length * searched.length);
    expect(labels[0]).toBe(`pocket/test/007, node 17 · ${runs[0]}`);
    expect(shown(query, searched)).toContain('pocket/test/007, node 17');
  }
  expect(reached(`pocket/test/007, node 17 · ${runs[0]}`, '007 node 17 two', searched)).toMatch(
    /^\/studies\/Two\/runs\/.+\/problems\/pocket%2Ftest%2F007\/nodes\/17/,
  );
});

test('no node is offered of a run that has none: not begun, too small, or asked for without a problem', () => {
  const nodes = (query: string, of: readonly StudyView[]) =>
    found(query, null, of).filter((label) => label.includes(', node '));
  expect(nodes('007 node 17', views)).toEqual([]);
  expect(nodes('007 node 99999', searched)).toEqual([]);
  expect(nodes('node 17', searched)).toEqual([]);
  expect(nodes('one node 17', searched)).toEqual([]);
});

test('the export of a study, a reproduction and an experiment with results is found anywhere', () => {
  expect(found('export')).toEqual([
    'Export One…',
    'Export Two…',
    'Export MARTI-MARS², Figure 3…',
    'Export Five methods…',
  ]);
  expect(reached('Export Two…', 'export two')).toBe('/studies/Two?check=export');
  expect(reached('Export MARTI-MARS², Figure 3…', 'csv figure')).toBe(
    '/exhibits/homogeneous?scale=paper&reproduction=r1&dialog=export',
  );
  expect(reached('Export Five methods…', 'export five')).toBe('/experiments/e1?dialog=export');
  // By their names alone they are found as themselves.
  expect(found('five methods')).toEqual([]);
});
