import { describe, expect, test } from 'vitest';
import type { StudyView } from '../../../preload/contract';
import { filterStudies, groupOfStudy, knownTags, scalesOf, studyGroupCounts } from '../../../renderer/state';
import { sampleStudyView } from '../../support/sample-study';

const views: readonly StudyView[] = [
  { ...sampleStudyView({ id: 'a', name: 'Quickstart' }), tags: ['paper', 'seeds'] },
  { ...sampleStudyView({ id: 'b', name: 'HumanEval' }), note: 'Broken by the GPU outage', tags: ['paper'] },
  { ...sampleStudyView({ id: 'c', name: 'LiveCodeBench' }), state: { kind: 'failed', message: 'gone' } },
];
const plain = { group: 'all', scale: '', tag: '', text: '' } as const;
const idsOf = (filters: Partial<Parameters<typeof filterStudies>[1]>): string[] =>
  filterStudies(views, { ...plain, ...filters }).map(({ study }) => study.id);

describe('studies', () => {
  test.each([
    [{}, ['a', 'b', 'c']],
    [{ group: 'failed' }, ['c']],
    [{ scale: 'paper' }, []],
    [{ tag: 'seeds' }, ['a']],
    [{ tag: 'paper', text: 'human' }, ['b']],
    [{ text: 'gpu broken' }, ['b']],
    [{ text: 'SEEDS' }, ['a']],
    [{ text: 'tracer' }, ['a', 'b', 'c']],
    [{ text: 'livecodebench nobody' }, []],
  ] as const)('that match %j are %j', (filters, ids) => {
    expect(idsOf(filters)).toEqual(ids);
  });

  test('of several scales are found by each of them', () => {
    const [view] = views as [StudyView];
    const [run] = view.study.runs as [StudyView['study']['runs'][number]];
    const study = {
      ...view.study,
      scale: 'own' as const,
      runs: [...view.study.runs, { ...run, scale: 'own' as const }],
    };
    expect(scalesOf(study)).toEqual(['pocket', 'own']);
    expect(scalesOf(view.study)).toEqual(['pocket']);
    for (const scale of ['pocket', 'own'])
      expect(filterStudies([{ ...view, study }], { ...plain, scale })).toHaveLength(1);
  });

  test('are found by what is written to them as soon as it is written', () => {
    const [first] = views;
    if (first === undefined) throw new Error('there is a first');
    expect(
      filterStudies([{ ...first, note: 'temperature' }], { ...plain, text: 'temperature' }),
    ).toHaveLength(1);
  });

  test('are counted by where they stand', () => {
    expect(studyGroupCounts(views)).toEqual({ all: 3, active: 0, finished: 2, paused: 0, failed: 1 });
  });

  test.each([
    ['preparing', 'active'],
    ['pausing', 'active'],
    ['planned', 'paused'],
    ['cancelled', 'paused'],
    ['interrupted', 'failed'],
  ] as const)('that are %s belong to those that are %s', (kind, group) => {
    const state = kind === 'preparing' ? { kind, step: 'x' } : { kind };
    expect(groupOfStudy({ state })).toBe(group);
  });

  test('have their tags listed with the commonest first', () => {
    expect(knownTags(views)).toEqual(['paper', 'seeds']);
  });
});
