import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../../main/grading';
import { hasSharedData, sharedSamples } from '../../../support/shared-samples';
import { openGrader } from '../sandbox';
import { passes } from './passes';

/** One sample in so many of each set; all of them are compared by tests/bench/grading/agreement. */
const EVERY = 900;

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

test.skipIf(!hasSharedData)(
  'samples that passed where they were recorded pass by both readings (skipped without the shared data)',
  async () => {
    const counts = new Map<string, number>();
    const chosen = [...sharedSamples()].filter(({ set }) => {
      const count = counts.get(set) ?? 0;
      counts.set(set, count + 1);
      return count % EVERY === 0;
    });
    const graded = await Promise.all(
      chosen.map(async (sample) => ({
        sample,
        asPublished: await passes(grader, sample.case, 'as-published'),
        asProgram: await passes(grader, sample.case, 'as-program'),
      })),
    );
    expect(counts.size).toBeGreaterThan(15);
    expect(
      graded
        .filter(({ sample, asPublished }) => sample.recorded === true && !asPublished.passed)
        .map(({ sample, asPublished }) => `${sample.case.id}: ${asPublished.explanation}`),
    ).toEqual([]);
    // As published, MBPP's check is never called, so the readings differ there alone.
    expect(
      graded
        .filter(({ asPublished, asProgram }) => asPublished.passed !== asProgram.passed)
        .filter(({ sample }) => sample.case.rules !== 'mbpp')
        .map(({ sample }) => sample.case.id),
    ).toEqual([]);
  },
);
