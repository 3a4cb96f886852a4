import { expect, test } from 'vitest';
import {
  judgeReference,
  type ReferenceTest,
  readReferenceRun,
} from '../../../../main/grading/logic/judge-reference';
import type { RunnerReport } from '../../../../main/grading/logic/runner-work';
import type { TestResult } from '../../../../preload/contract';

const LIMITS = { cpuSeconds: 1, wallSeconds: 5, memoryBytes: 1e9, processes: 8, outputBytes: 1e6 };
const REFERENCE: ReferenceTest = { kind: 'reference', inputs: '[[1], [2]]', reference: '', tolerance: 1e-6 };

const report = (lines: readonly string[]): RunnerReport => ({
  end: 'finished',
  output: lines.map((line) => `${line}\n`).join(''),
  error: null,
  cpuMs: 1,
  wallMs: 1,
});
const told = (value: string): string => `{"value": ${value}, "seconds": 0.1}`;

function judged(wanted: readonly string[], given: readonly string[]): TestResult | 'paused' {
  const reference = { values: wanted, seconds: wanted.map(() => 0) };
  const options = { entryPoint: 'f', asPublished: false };
  return judgeReference(REFERENCE, reference, report(given), LIMITS, options);
}

const nested = (depth: number): string => `${'["list",['.repeat(depth)}${']]'.repeat(depth)}`;

test.each([
  [
    'deeper than any value of the runner',
    [told(nested(1_000))],
    'runtime-error',
    'Input 1 of 1: the program damaged the report on its calls, or nested a value more than 1000 deep.',
  ],
  [
    '200,000 deep',
    [told(nested(200_000))],
    'output-limit',
    'Input 1 of 1: the results are far larger than the reference',
  ],
  [
    'of megabytes',
    [told(`["str","${'a'.repeat(2e6)}"]`)],
    'output-limit',
    'Input 1 of 1: the results are far larger than the reference',
  ],
  [
    'that is no JSON',
    [told('['), told('["int","1"]')],
    'runtime-error',
    'Input 1 of 1: the program damaged the report on its calls',
  ],
  ['that is missing', [], 'runtime-error', 'Input 1 of 1 has no result.'],
] as const)('a value %s is a verdict with its reason', (_, given, verdict, error) => {
  expect(judged(['["int","1"]'], given)).toMatchObject({ verdict, error: expect.stringContaining(error) });
});

test('a value as deep as the runner writes it is compared', () => {
  expect(judged([nested(201)], [told(nested(201))])).toMatchObject({ verdict: 'passed' });
  expect(judged([nested(201)], [told(nested(200))])).toMatchObject({ verdict: 'wrong-answer' });
});

test('what follows the first wrong value is not read', () => {
  const given = [told('["int","2"]'), 'no JSON', 'a'.repeat(3e6)];
  expect(judged(['["int","1"]', '["int","1"]'], given)).toMatchObject({
    verdict: 'wrong-answer',
    error: 'Input 1 of 2 gives another result than the reference program.',
  });
});

test('a list of lists is not compared with a list pair by pair when that takes the square of its length', () => {
  const zeros = (zero: string) => `["list",[${Array.from({ length: 20_000 }, () => zero).join()}]]`;
  const wanted = zeros('["float","0.0"]');
  const given = zeros('["list",[["float","0.0"]]]');
  expect(judged([wanted], [told(given)])).toMatchObject({ verdict: 'wrong-answer' });
});

test('an integer of more digits than Python writes in decimal is no value', () => {
  expect(judged(['["int","1"]'], [told(`["int","${'0'.repeat(500)}1"]`)])).toMatchObject({ actual: null });
});

test('a reference whose result is nested too deeply is refused with its input', () => {
  expect(readReferenceRun(report([told('["int","1"]'), told(nested(1_000))]))).toEqual({
    ok: false,
    error: 'input 2: its result is damaged or too large.',
  });
});
