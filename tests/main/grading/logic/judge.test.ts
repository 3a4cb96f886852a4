import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { judge } from '../../../../main/grading/logic/judge';
import type { RunnerReport } from '../../../../main/grading/logic/runner-work';
import type { TestCase } from '../../../../preload/contract/index';

const LIMITS = { cpuSeconds: 1, wallSeconds: 5, memoryBytes: 1e9, processes: 8, outputBytes: 1e6 };
const check: TestCase = { kind: 'check', source: 'assert f(1) == 2' };

function failing(error: string): RunnerReport {
  return { end: 'error', output: null, error, cpuMs: 1, wallMs: 1 };
}

test('a check whose assertion fails is a wrong answer, with its traceback kept', () => {
  for (const end of ['AssertionError', 'AssertionError: f(1) is 3']) {
    const error = `Traceback (most recent call last):\n  File "check", line 1\n${end}\n`;
    expect(judge(check, failing(error), LIMITS)).toMatchObject({ verdict: 'wrong-answer', error });
  }
});

test('any other exception of a check is a runtime error', () => {
  expect(judge(check, failing('...\nNameError: AssertionError'), LIMITS).verdict).toBe('runtime-error');
  expect(judge(check, failing('...\nNotAssertionError'), LIMITS).verdict).toBe('runtime-error');
});

test('an assertion of the program itself is a runtime error where outputs are compared', () => {
  const stdin: TestCase = { kind: 'stdin', input: '', expected: '' };
  expect(judge(stdin, failing('...\nAssertionError'), LIMITS).verdict).toBe('runtime-error');
});

test('a result keeps what it shows, not the output in full', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = async (): Promise<number> => {
    // Twice, as memory outside of the heap is freed after a collection; other tests of this process leave some as well.
    for (const _ of [1, 2]) {
      collect();
      await setImmediate();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const stdin: TestCase = { kind: 'stdin', input: '', expected: '' };
  const before = await used();
  const results = Array.from({ length: 20 }, () => {
    const output = Buffer.alloc(20e6, 'a').toString('latin1');
    return judge(stdin, { end: 'finished', output, error: null, cpuMs: 1, wallMs: 1 }, LIMITS);
  });
  expect((await used()) - before).toBeLessThan(150e6);
  expect(results[19]?.actual).toMatch(/^a{2000}\n\.\.\. \(19996000 characters left out\) \.\.\.\na{2000}$/);
});
