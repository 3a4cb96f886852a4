import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Grader, GradingMode } from '../../../../main/grading';
import { openGrader } from '../sandbox';
import { corpus } from './corpus';
import { knownDifferences, otherAsProgram } from './differences';
import { passes } from './passes';

/**
 * What the published graders say of the corpus: lcb_runner/evaluation/testing_util.py at LiveCodeBench 28fef95,
 * human_eval/execution.py at human-eval 6d43fb9, evalplus/eval/__init__.py at EvalPlus 26d6d00, run by
 * tests/bench/grading/agreement/corpus.bench.ts.
 */
const published = z
  .object({ measuredWith: z.string(), verdicts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'published-verdicts.json'), 'utf8'))).verdicts;

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

type Disagreement = { readonly id: string; readonly explanation: string };

async function disagreements(reading: GradingMode): Promise<Disagreement[]> {
  const found = await Promise.all(
    corpus.map(async (one) => {
      const { passed, explanation } = await passes(grader, one, reading);
      return passed === published[one.id] ? [] : [{ id: one.id, explanation }];
    }),
  );
  return found.flat();
}

test('the corpus has at least 300 programs, each with a measured verdict', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(300);
  expect(corpus.filter(({ id }) => published[id] === undefined)).toEqual([]);
  expect(Object.keys(published)).toHaveLength(corpus.length);
});

test('as published, every verdict is the published one', async () => {
  const found = await disagreements('as-published');
  expect(found.filter(({ id }) => !knownDifferences.has(id))).toEqual([]);
  expect(found).toHaveLength(knownDifferences.size);
});

test('as a program, just the verdicts differ that docs/grading.md explains', async () => {
  const found = await disagreements('as-program');
  expect(found.map(({ id }) => id).sort()).toEqual([...otherAsProgram, ...knownDifferences.keys()].sort());
});
