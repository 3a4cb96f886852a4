import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePath, pathOf, type Route } from '../../../renderer/state';

describe('addresses', () => {
  test.each<[string, Route]>([
    ['/', { kind: 'home' }],
    ['', { kind: 'home' }],
    ['/studies', { kind: 'studies' }],
    ['/studies/abc', { kind: 'study', studyId: 'abc' }],
    ['/studies/new', { kind: 'new-study', benchmarkId: null }],
    ['/studies/new?benchmark=humaneval', { kind: 'new-study', benchmarkId: 'humaneval' }],
    ['/studies/new?preset=mars2-t', { kind: 'new-study', benchmarkId: null, preset: 'mars2-t' }],
    ['/studies/abc?check=verify', { kind: 'study', studyId: 'abc', check: 'verify' }],
    ['/studies/abc?check=all', { kind: 'study', studyId: 'abc' }],
    ['/compare', { kind: 'compare', studyId: null }],
    ['/compare/abc', { kind: 'compare', studyId: 'abc' }],
    ['/servers/s1', { kind: 'servers', serverId: 's1' }],
    [
      '/studies/s/runs/r/problems/pocket%2Ftest%2F003/nodes/7?part=samples&tab=nodes',
      {
        kind: 'run',
        studyId: 's',
        runId: 'r',
        problemId: 'pocket/test/003',
        part: 'samples',
        node: 7,
        tab: 'nodes',
      },
    ],
    [
      '/studies/s/runs/r',
      { kind: 'run', studyId: 's', runId: 'r', problemId: null, part: 'search', node: null, tab: 'tree' },
    ],
  ])('%s is a place', (address, place) => {
    expect(parsePath(address)).toEqual(place);
  });

  test.each([
    '/nowhere',
    '/studies/a/b',
    '/studies/a/runs',
    '/studies/a/runs/r/problems/p/nodes/x',
    '/%E0%A4%A',
  ])('%s is no place, and says which address it was', (address) => {
    expect(parsePath(address)).toEqual({ kind: 'unknown', address });
  });

  test.each<Route>([
    { kind: 'new-study', benchmarkId: 'a&b', preset: 'mars2-t-plus' },
    { kind: 'study', studyId: 's', check: 'regrade' },
    { kind: 'machines' },
    { kind: 'new-machine' },
    { kind: 'machine', machineId: 'new' },
    { kind: 'edit-machine', machineId: 'edit' },
    { kind: 'terminals', terminalId: null },
    { kind: 'terminals', terminalId: 't/1' },
    {
      kind: 'run',
      studyId: 's',
      runId: 'r',
      problemId: 'p/1',
      part: 'search',
      node: 3,
      tab: 'nodes',
      moment: 0,
      second: 's2.heterogeneous+more.1',
    },
  ])('%j comes back from its address', (place) => {
    expect(parsePath(pathOf(place))).toEqual(place);
  });

  test('every run place comes back from its address, whatever its ids hold', () => {
    const id = fc.string({ minLength: 1, unit: 'grapheme' });
    const place = fc.record({
      kind: fc.constant('run' as const),
      studyId: id,
      runId: id,
      problemId: id,
      part: fc.constantFrom('search' as const, 'samples' as const),
      node: fc.option(fc.nat({ max: 99_999 })),
      tab: fc.constantFrom('tree' as const, 'nodes' as const, 'curves' as const, 'problem' as const),
    });
    fc.assert(
      fc.property(place, (run) => {
        expect(parsePath(pathOf(run))).toEqual(run);
      }),
      { seed: 1 },
    );
  });
});
