import { describe, expect, test } from 'vitest';
import { interpret, parseProgram, pocketProblems, renderProgram } from '../../../main/pocket';
import { OPERATIONS } from '../../../main/pocket/operations';
import { equalsShorter, signatureOf, splitOf } from '../../../main/pocket/signature';
import { type Problem, problemSchema } from '../../../preload/contract';
import { runInPython } from './python-batch';

const testProblems = pocketProblems({ split: 'test', seed: 1, count: 200 });
const trainProblems = pocketProblems({ split: 'train', seed: 1, count: 300 });

function signature({ canonicalProgram }: Problem): string {
  const parsed = parseProgram(canonicalProgram ?? '');
  if (parsed === null) throw new Error('not one of our programs');
  return signatureOf(parsed.program);
}

describe('pocket problems', () => {
  test('fit the contract', () => {
    for (const problem of [...testProblems, ...trainProblems])
      expect(problemSchema.parse(problem)).toEqual(problem);
  });

  test('come out the same to the byte for the same seed, and differ for another', () => {
    const again = pocketProblems({ split: 'test', seed: 1, count: 200 });
    expect(JSON.stringify(again)).toBe(JSON.stringify(testProblems));
    const other = pocketProblems({ split: 'test', seed: 2, count: 20 });
    expect(JSON.stringify(other)).not.toBe(JSON.stringify(testProblems.slice(0, 20)));
  });

  test('are extended, not changed, by a larger count', () => {
    expect(pocketProblems({ split: 'test', seed: 1, count: 60 })).toEqual(testProblems.slice(0, 60));
  });

  test('are all different functions within a split', () => {
    expect(new Set(testProblems.map(signature)).size).toBe(testProblems.length);
    expect(new Set(trainProblems.map(signature)).size).toBe(trainProblems.length);
  });

  test('share no semantics between splits, for any seeds', () => {
    const train = new Set(
      [1, 2, 3].flatMap((seed) => pocketProblems({ split: 'train', seed, count: 200 }).map(signature)),
    );
    for (const seed of [1, 7]) {
      const problems = pocketProblems({ split: 'test', seed, count: 100 });
      expect(problems.map(signature).filter((one) => train.has(one) || splitOf(one) !== 'test')).toEqual([]);
    }
  });

  test('are never equal to a program of fewer steps', () => {
    const sortThenReverse = [0, 2];
    expect(OPERATIONS.slice(0, 3).map(({ name }) => name)).toEqual(['sort', 'sort-descending', 'reverse']);
    expect(equalsShorter(sortThenReverse, signatureOf(sortThenReverse))).toBe(true);
    for (const problem of testProblems) {
      const parsed = parseProgram(problem.canonicalProgram ?? '');
      expect(equalsShorter(parsed?.program ?? [], signature(problem))).toBe(false);
    }
  });

  test('come in both styles, all difficulties and all skill families', () => {
    const styles = testProblems.filter(({ entryPoint }) => entryPoint === null).length / testProblems.length;
    expect(styles).toBeGreaterThan(0.4);
    expect(styles).toBeLessThan(0.6);
    expect(new Set(testProblems.map(({ difficulty }) => difficulty)).size).toBe(3);
    expect(new Set(testProblems.flatMap(({ skills }) => skills)).size).toBe(9);
  });

  test('show two public tests in the statement and hide at least 14 others, edge cases among them', () => {
    for (const { publicTests, privateTests, statement } of testProblems) {
      expect(publicTests).toHaveLength(2);
      expect(statement.match(/^Input: /gm)).toHaveLength(2);
      expect(privateTests.length).toBeGreaterThanOrEqual(14);
      expect(new Set(privateTests.map((one) => JSON.stringify(one))).size).toBeGreaterThanOrEqual(12);
    }
    const empties = testProblems.filter(({ privateTests }) =>
      privateTests.some((one) => 'input' in one && /^(\[\]|\n)$/.test(one.input)),
    );
    expect(empties.length).toBeGreaterThan(testProblems.length / 2);
  });

  test('are solved by their canonical programs in real Python', () => {
    const batch = testProblems.map(({ canonicalProgram, publicTests, privateTests }) => ({
      source: canonicalProgram ?? '',
      tests: [...publicTests, ...privateTests],
    }));
    const expected = batch.map(({ tests }) => tests.map((one) => ('expected' in one ? one.expected : '')));
    expect(runInPython(batch)).toEqual(expected);
  });

  test('hold no integer that a double cannot hold', () => {
    const square = OPERATIONS.findIndex(({ name }) => name === 'square');
    expect(interpret([square, square, square, square, square], [99])).toBe('too-big');
    expect(renderProgram([square], 'stdin')).toContain('x * x');
  });
});
