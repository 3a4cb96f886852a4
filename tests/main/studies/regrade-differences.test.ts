import { expect, test } from 'vitest';
import { regradeDifferences } from '../../../main/studies/logic/regrade-differences';
import type { RegradeStarted } from '../../../preload/contract';
import { configWith } from '../../support/search-fixture';
import { LIMITS } from '../grading/sandbox';

const GRADER = { python: '3.11.2', isolation: 'sandbox', cpuFactor: 1, packages: ['numpy 2.4.6'] } as const;
const started = (change: Partial<RegradeStarted> = {}): RegradeStarted => ({
  ...{ kind: 'regrade-started', at: 0, regradeVersion: 1, appVersion: '1', studyId: 's', grading: null },
  grader: { ...GRADER, packages: [...GRADER.packages] },
  tests: [
    {
      ...{ benchmarkId: 'b', benchmarkDigest: 'd', testsId: 'fixed', testsDigest: 'e' },
      ...{ limits: LIMITS, rules: 'plain' },
    },
  ],
  ...change,
});
const RUN = {
  config: configWith({ grading: 'as-program' }),
  grader: { ...GRADER, packages: ['numpy 2.4.6'] },
};
const own = (limits = LIMITS) => ({ limits, rules: 'plain' }) as const;

test('a re-grade with other tests, and all else alike, differs in nothing else', () => {
  expect(regradeDifferences(started(), [RUN], () => own())).toEqual([]);
  expect(regradeDifferences(started({ grading: 'as-program' }), [RUN], () => undefined)).toEqual([]);
});

test('mode, packages and limits are named once, with what the search had', () => {
  const other = started({ grading: 'as-published', grader: { ...started().grader, packages: [] } });
  const smaller = { ...LIMITS, cpuSeconds: LIMITS.cpuSeconds / 2 };
  expect(regradeDifferences(other, [RUN, RUN], () => own(smaller))).toEqual([
    'other Python packages',
    'graded as published instead of as a program',
    `limit of CPU time ${LIMITS.cpuSeconds} s instead of ${smaller.cpuSeconds} s`,
  ]);
});

test('runs that were graded in several ways are all named', () => {
  const older = { ...RUN, grader: { ...RUN.grader, python: '3.9.1' } };
  const runs = [RUN, older, { ...older, grader: { ...older.grader, python: '3.8.0' } }];
  expect(regradeDifferences(started(), runs, () => own())).toEqual([
    'Python 3.11.2 instead of 3.9.1 and 3.8.0',
  ]);
});
