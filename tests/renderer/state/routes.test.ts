import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePath, pathOf, type Route } from '../../../renderer/state';

describe('paths of routes', () => {
  test.each<[string, Route]>([
    ['/', { kind: 'home' }],
    ['', { kind: 'home' }],
    ['/studies', { kind: 'studies' }],
    ['/studies/abc', { kind: 'study', studyId: 'abc' }],
    ['/library/humaneval', { kind: 'benchmark', benchmarkId: 'humaneval', problemId: null }],
    [
      '/library/humaneval/HumanEval%2F3',
      { kind: 'benchmark', benchmarkId: 'humaneval', problemId: 'HumanEval/3' },
    ],
    ['/studies/new', { kind: 'new-study', benchmarkId: null }],
    ['/studies/new?benchmark=humaneval', { kind: 'new-study', benchmarkId: 'humaneval' }],
    ['/studies/new?preset=mars2-t', { kind: 'new-study', benchmarkId: null, preset: 'mars2-t' }],
    ['/studies/new?from=s1', { kind: 'new-study', benchmarkId: null, from: 's1' }],
    ['/studies/abc?check=verify', { kind: 'study', studyId: 'abc', check: 'verify' }],
    ['/studies/abc?check=all', { kind: 'study', studyId: 'abc' }],
    ['/studies/abc?check=note', { kind: 'study', studyId: 'abc', check: 'note' }],
    ['/experiments/abc?dialog=export', { kind: 'experiment', experimentId: 'abc', dialog: 'export' }],
    ['/experiments/abc?dialog=all', { kind: 'experiment', experimentId: 'abc' }],
    ['/settings', { kind: 'settings' }],
    ['/settings?entry=Silent%20jobs', { kind: 'settings', entry: 'Silent jobs' }],
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
  ])('%s is a route', (path, route) => {
    expect(parsePath(path)).toEqual(route);
  });

  test.each([
    '/nowhere',
    '/studies/a/b',
    '/studies/a/runs',
    '/studies/a/runs/r/problems/p/nodes/x',
    '/%E0%A4%A',
  ])('%s is unknown and keeps its path', (path) => {
    expect(parsePath(path)).toEqual({ kind: 'unknown', path });
  });

  test.each<Route>([
    { kind: 'new-study', benchmarkId: 'a&b', preset: 'mars2-t-plus' },
    { kind: 'study', studyId: 's', check: 'regrade' },
    { kind: 'experiment', experimentId: 'e', dialog: 'export' },
    { kind: 'exhibit', exhibitId: 'e', scale: 'paper', reproductionId: 'r', dialog: 'export' },
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
  ])('%j comes back from its path', (route) => {
    expect(parsePath(pathOf(route))).toEqual(route);
  });

  test('every run route survives a round trip through its path, with any ids', () => {
    const id = fc.string({ minLength: 1, unit: 'grapheme' });
    const route = fc.record({
      kind: fc.constant('run' as const),
      studyId: id,
      runId: id,
      problemId: id,
      part: fc.constantFrom('search' as const, 'samples' as const),
      node: fc.option(fc.nat({ max: 99_999 })),
      tab: fc.constantFrom('tree' as const, 'nodes' as const, 'curves' as const, 'problem' as const),
    });
    fc.assert(
      fc.property(route, (run) => {
        expect(parsePath(pathOf(run))).toEqual(run);
      }),
      { seed: 1 },
    );
  });
});
