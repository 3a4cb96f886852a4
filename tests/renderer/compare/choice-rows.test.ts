import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choiceRows, isPooled, pooled, studyFacts, toggled } from '../../../renderer/compare/choice-rows';
import { sampleStudyView } from '../../support/sample-study';

const views = [sampleStudyView({ id: 'a' }), sampleStudyView({ id: 'b', seeds: [1, 2] })];
const none = new Set<string>();

describe('the list to choose runs from', () => {
  test('shows studies alone until one is opened', () => {
    expect(choiceRows(views, none, none).map(({ id }) => id)).toEqual(['study a', 'study b']);
  });

  test('opens to configurations, and those of several seeds to their runs', () => {
    const rows = choiceRows(views, none, new Set(['study b', 'configuration b homogeneous']));
    expect(rows.map(({ kind, label }) => [kind, label])).toEqual([
      ['study', 'Quickstart'],
      ['study', 'Quickstart'],
      ['configuration', 'single'],
      ['configuration', 'homogeneous'],
      ['run', 'Seed 1'],
      ['run', 'Seed 2'],
      ['configuration', 'heterogeneous'],
    ]);
  });

  test('has nothing to open below a configuration of one seed', () => {
    const rows = choiceRows(views, none, new Set(['study a']));
    expect(rows.map(({ open }) => open)).toEqual([true, null, null, null, false]);
  });

  test('counts what is chosen of each line', () => {
    const rows = choiceRows(
      views,
      new Set(['b.single.1', 'b.single.2', 'b.homogeneous.2']),
      new Set(['study b']),
    );
    expect(rows.map(({ chosen, runIds }) => `${chosen} of ${runIds.length}`)).toEqual([
      '0 of 3',
      '3 of 6',
      '2 of 2',
      '1 of 2',
      '0 of 2',
    ]);
  });
});

test('a study says all sizes of its trees', () => {
  const { study } = sampleStudyView({ id: 'a' });
  const runs = study.runs.map((run, at) => ({
    ...run,
    search: { ...run.search, nodes: at === 0 ? 24 : 12 },
  }));
  expect(studyFacts({ ...study, runs })).toContain('N = 12, 24');
});

describe('a press on a line', () => {
  const run = (runId: string) => ({ runId });

  test('takes the runs that are missing to the end of the choice', () => {
    expect(toggled([run('x'), run('b')], ['a', 'b'])).toEqual([run('x'), run('b'), run('a')]);
  });

  test('takes all out where all are in, and leaves the names of the others', () => {
    expect(toggled([run('a'), { runId: 'x', label: 'ours' }, run('b')], ['a', 'b'])).toEqual([
      { runId: 'x', label: 'ours' },
    ]);
  });

  test('twice leaves the choice as it was where none was in', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(ids, ids, (before, pressed) => {
        const choice = before.filter((id) => !pressed.includes(id)).map(run);
        expect(toggled(toggled(choice, pressed), pressed)).toEqual(choice);
      }),
    );
  });
});

describe('configurations of the same name', () => {
  const choice = ['a.single.1', 'b.single.2', 'gone'].map((runId) => ({ runId }));

  test('are pooled under it, whatever their former names, and a removed run has none', () => {
    expect(pooled(choice, views)).toEqual([
      { runId: 'a.single.1', label: 'single' },
      { runId: 'b.single.2', label: 'single' },
      { runId: 'gone' },
    ]);
    expect(pooled([{ runId: 'a.single.1', label: 'ours' }], views)).toEqual([
      { runId: 'a.single.1', label: 'single' },
    ]);
  });

  test('are known to be pooled only where all of them are', () => {
    const known = choice.slice(0, 2);
    expect(isPooled(pooled(known, views), views)).toBe(true);
    expect(isPooled([...pooled(known, views).slice(1), { runId: 'a.single.1' }], views)).toBe(false);
    expect(isPooled([], views)).toBe(false);
  });
});
