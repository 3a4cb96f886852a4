import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GradeRequest, Grader } from '../../../main/grading';
import type { TestCase, Verdict } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from './sandbox';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

const MEBIBYTE = 1024 * 1024;
const ROOMY = { ...LIMITS, cpuSeconds: 10, wallSeconds: 60, outputBytes: 64 * MEBIBYTE };
const call: TestCase = { kind: 'call', input: '1', expected: '1' };

/** A program that tells brackets in the place of what the grader's own Python writes. */
const telling = (change: string): string =>
  `import json, sys\nbrackets = "[" * (60 * 2**20)\nreal = json.dumps\n${change}\ndef f(x): return x`;

test.each<[claim: string, verdict: Verdict, error: string, change: string, how: Partial<GradeRequest>]>([
  [
    'as the value of a call',
    'wrong-answer',
    'The returned value is far larger than the expected one',
    'sys.modules["mars2_grader.values"].json_text = lambda value: brackets',
    {},
  ],
  [
    'as the outcomes of all tests in one process',
    'runtime-error',
    'The program damaged the report on its tests.',
    'json.dumps = lambda told, **more: brackets if type(told) is list else real(told, **more)',
    { rules: 'livecodebench', mode: 'as-published' },
  ],
  [
    'as the report itself',
    'runtime-error',
    'The program ended itself',
    'json.dumps = lambda told, **more: brackets',
    {},
  ],
])('60 MiB of brackets, told %s, are a verdict', async (_claim, verdict, error, change, how) => {
  const request = { program: telling(change), entryPoint: 'f', tests: [call], limits: ROOMY, ...how };
  const { results } = await grade(grader, request);
  expect(results).toMatchObject([{ verdict, error: expect.stringContaining(error) }]);
  expect(grader.statistics().faults).toBe(0);
});
