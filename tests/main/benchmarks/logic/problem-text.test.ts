import { expect, test } from 'vitest';
import { problemText } from '../../../../main/benchmarks/logic/problem-text';
import type { TestCase } from '../../../../preload/contract';

const made = (input: string): TestCase => ({ kind: 'stdin', input, expected: '1\n' });

test('a problem of many megabytes is sent without private tests and with short texts', () => {
  const sent = problemText({
    id: 'a',
    title: 'A',
    statement: 'x'.repeat(3_000_000),
    entryPoint: null,
    starterCode: '',
    difficulty: 'hard',
    date: '2025-02-01',
    skills: [],
    publicTests: [made('1'.repeat(2_000_000)), ...Array.from({ length: 400 }, () => made('1\n'))],
    privateTests: Array.from({ length: 40 }, () => made('1'.repeat(1_000_000))),
    canonicalProgram: 'print(1)',
  });
  expect(JSON.stringify(sent).length).toBeLessThan(200_000);
  expect(sent).toMatchObject({ publicTestCount: 401, privateTestCount: 40 });
  expect(sent).not.toHaveProperty('privateTests');
  expect(sent).not.toHaveProperty('canonicalProgram');
  expect(sent.statement.endsWith('\n… 2900000 more characters')).toBe(true);
});
