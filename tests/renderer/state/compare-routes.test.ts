import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPARE_VIEWS, parsePath, pathOf, type Route } from '../../../renderer/state';

describe('paths of comparisons', () => {
  test.each<[string, Route]>([
    ['/compare', { kind: 'compare', studyId: null }],
    ['/compare/abc', { kind: 'compare', studyId: 'abc' }],
    ['/compare/abc?view=problems', { kind: 'compare', studyId: 'abc', view: 'problems' }],
    ['/compare/abc?view=nothing', { kind: 'compare', studyId: 'abc' }],
    [
      '/compare?run=a.1&run=b.2',
      { kind: 'compare', studyId: null, runs: [{ runId: 'a.1' }, { runId: 'b.2' }] },
    ],
    ['/compare?as=lost&run=a', { kind: 'compare', studyId: null, runs: [{ runId: 'a' }] }],
  ])('%s is a route', (path, route) => {
    expect(parsePath(path)).toEqual(route);
  });

  test('holds no more than one study', () => {
    expect(parsePath('/compare/a/b')).toEqual({ kind: 'unknown', path: '/compare/a/b' });
  });

  test('any choice of runs, under any names, comes back from its path', () => {
    const run = fc.record(
      { runId: fc.string({ minLength: 1 }), label: fc.string({ minLength: 1 }) },
      { requiredKeys: ['runId'] },
    );
    fc.assert(
      fc.property(
        fc.array(run, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...COMPARE_VIEWS),
        (runs, view) => {
          const route: Route = {
            kind: 'compare',
            studyId: null,
            runs,
            ...(view === 'table' ? {} : { view }),
          };
          expect(parsePath(pathOf(route))).toEqual(route);
        },
      ),
    );
  });
});
