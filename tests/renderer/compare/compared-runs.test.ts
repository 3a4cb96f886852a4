import { describe, expect, test } from 'vitest';
import type { StudyView } from '../../../preload/contract';
import { namedRoute, routeOfRuns, selectionOf } from '../../../renderer/compare/compared-runs';
import { sampleStudyView } from '../../support/sample-study';

const views: readonly StudyView[] = [
  sampleStudyView({ id: 'new' }, { gradedDone: 0 }),
  sampleStudyView({ id: 'old' }),
  sampleStudyView({ id: 'older', seeds: [1, 2] }),
];
const idsOf = (route: Parameters<typeof selectionOf>[0]): readonly string[] =>
  selectionOf(route, views)?.runs.map(({ runId }) => runId) ?? [];

describe('what a place compares', () => {
  test('is, without a choice, the newest finished study, else the newest that has something graded', () => {
    const unfinished = views.map((view) => ({ ...view, state: { kind: 'running' as const } }));
    const newest = { kind: 'compare', studyId: null } as const;
    expect(selectionOf(newest, [unfinished[1] as StudyView, views[2] as StudyView])?.studies).toEqual([
      views[2],
    ]);
    expect(selectionOf(newest, unfinished)?.studies).toEqual([unfinished[1]]);
    expect(namedRoute(newest, unfinished, null)).toBe(newest);
  });

  test('is written into an address that does not say it: what was compared last, while that is there', () => {
    const bare = { kind: 'compare', studyId: null, view: 'agents' } as const;
    expect(namedRoute(bare, views.slice(1), null)).toEqual({
      kind: 'compare',
      studyId: 'old',
      view: 'agents',
    });
    const runs = ['older.single.2', 'old.single.1'].map((runId) => ({ runId }));
    expect(namedRoute(bare, views, { kind: 'compare', studyId: null, runs, view: 'pairs' })).toEqual({
      ...bare,
      runs,
    });
    expect(namedRoute(bare, views, { kind: 'compare', studyId: 'gone' })).toMatchObject({ studyId: 'new' });
    const named = { kind: 'compare', studyId: 'older' } as const;
    expect(namedRoute(named, views, { kind: 'compare', studyId: 'old' })).toBe(named);
  });

  test('is every run of a study in its order', () => {
    expect(idsOf({ kind: 'compare', studyId: 'older' })).toHaveLength(6);
  });

  test('is empty for an absent study', () => {
    expect(selectionOf({ kind: 'compare', studyId: 'gone' }, views)).toBeNull();
  });

  test('are runs of several studies in the order of the choice, each once', () => {
    const runs = ['older.single.2', 'old.single.1', 'older.single.2'].map((runId) => ({ runId }));
    const compared = selectionOf({ kind: 'compare', studyId: null, runs }, views);
    expect(compared?.runs.map(({ runId }) => runId)).toEqual(['older.single.2', 'old.single.1']);
    expect(compared?.studies.map(({ study }) => study.id)).toEqual(['older', 'old']);
  });

  test('leaves out runs that are gone, and says how many', () => {
    const runs = ['old.single.1', 'gone.1', 'gone.2'].map((runId) => ({ runId }));
    expect(selectionOf({ kind: 'compare', studyId: null, runs }, views)).toMatchObject({
      missing: 2,
      runs: [{ runId: 'old.single.1' }],
    });
    expect(selectionOf({ kind: 'compare', studyId: null, runs: runs.slice(1) }, views)).toBeNull();
  });
});

describe('the place of a choice', () => {
  const old = ['old.single.1', 'old.homogeneous.1', 'old.heterogeneous.1'].map((runId) => ({ runId }));

  test("is the study's own where the choice is all of it", () => {
    expect(routeOfRuns(old, views, 'pairs')).toEqual({ kind: 'compare', studyId: 'old', view: 'pairs' });
  });

  test.each([
    ['a part of a study', old.slice(1)],
    ['runs of two studies', [...old, { runId: 'older.single.1' }]],
    ['runs under other names', old.map((run) => ({ ...run, label: 'ours' }))],
  ])('names the runs of %s', (_, runs) => {
    expect(routeOfRuns(runs, views)).toEqual({ kind: 'compare', studyId: null, runs });
  });
});
