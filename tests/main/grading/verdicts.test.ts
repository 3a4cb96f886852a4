import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { TestCase, TestResult, Verdict } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from './sandbox';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

const stdin = (input: string, expected: string): TestCase => ({ kind: 'stdin', input, expected });
const call = (input: string, expected: string): TestCase => ({ kind: 'call', input, expected });
const check = (source: string): TestCase => ({ kind: 'check', source });

async function resultOf(program: string, one: TestCase, limits = LIMITS): Promise<TestResult> {
  const { results } = await grade(grader, { program, entryPoint: 'f', tests: [one], limits });
  const [result] = results;
  if (result === undefined || results.length > 1) throw new Error(`${results.length} results for one test`);
  return result;
}

const claims: readonly [claim: string, verdict: Verdict, program: string, test: TestCase][] = [
  // stdin
  ['the expected output passes', 'passed', 'print(int(input()) * 2)', stdin('21\n', '42\n')],
  ['another output is wrong', 'wrong-answer', 'print("b")', stdin('', 'a')],
  ['no output is wrong', 'wrong-answer', 'pass', stdin('', 'a')],
  ['an exception', 'runtime-error', '1 / 0', stdin('', '')],
  ['an exception after the right output', 'runtime-error', 'print("a"); 1 / 0', stdin('', 'a')],
  ['a program that does not compile', 'runtime-error', 'def f(:', stdin('', '')],
  ['input past the end', 'runtime-error', 'input(); input()', stdin('1\n', '')],
  ['a segmentation fault', 'runtime-error', 'import ctypes; ctypes.string_at(0)', stdin('', '')],
  ['an unhandled signal', 'runtime-error', 'import os; os.kill(os.getpid(), 9)', stdin('', '')],
  ['an endless loop', 'time-limit', 'while True: pass', stdin('', '')],
  ['an endless regular expression', 'time-limit', 're.match("(a+)+$", "a" * 60 + "b")', stdin('', '')],
  ['sleeping for ever', 'time-limit', 'import time; time.sleep(999)', stdin('', '')],
  ['waiting for a lock for ever', 'time-limit', 'import threading; threading.Event().wait()', stdin('', '')],
  ['a list too large', 'memory-limit', 'x = [0] * 10**9', stdin('', '')],
  ['memory that grows', 'memory-limit', 'x = []\nwhile True: x.append(bytes(10**6))', stdin('', '')],
  [
    'a thread without memory, and so half an answer',
    'memory-limit',
    'import threading\ndef main(): print(len([0] * 10**9))\nt = threading.Thread(target=main)\nt.start()\nt.join()',
    stdin('', '1000000000'),
  ],
  [
    'a thread without memory that the answer did not need',
    'passed',
    'import threading\nt = threading.Thread(target=lambda: [0] * 10**9)\nt.start()\nt.join()\nprint(1)',
    stdin('', '1'),
  ],
  [
    'a wrong answer of a thread',
    'wrong-answer',
    'import threading\nt = threading.Thread(target=lambda: print(2))\nt.start()\nt.join()',
    stdin('', '1'),
  ],
  ['a flood of output', 'output-limit', 'while True: print("a" * 1000)', stdin('', '')],
  [
    'a flood of errors is no output',
    'passed',
    'for _ in range(9999): print("e" * 999, file=sys.stderr)\nprint(1)',
    stdin('', '1'),
  ],
  // how real programs read, write and end
  ['exit() is no error', 'passed', 'print("a")\nexit()', stdin('', 'a')],
  ['sys.exit with a code is no error', 'passed', 'print("a")\nsys.exit(3)', stdin('', 'a')],
  ['os._exit(0) after a flush', 'passed', 'import os\nprint("a", flush=True)\nos._exit(0)', stdin('', 'a')],
  [
    'os._exit with a code is an error',
    'runtime-error',
    'import os\nprint("a", flush=True)\nos._exit(3)',
    stdin('', 'a'),
  ],
  ['reading all of stdin', 'passed', 'print(sum(map(int, sys.stdin.read().split())))', stdin('1 2\n3', '6')],
  ['reading stdin as bytes', 'passed', 'print(len(sys.stdin.buffer.read()))', stdin('äb\n', '4')],
  ['reading descriptor 0', 'passed', 'print(len(open(0).read()))', stdin('abc', '3')],
  ['reading /dev/stdin', 'passed', 'print(open("/dev/stdin").read())', stdin('abc', 'abc')],
  [
    'one os.read of a long input',
    'passed',
    'import os\nprint(len(os.read(0, 10**7)))',
    stdin('x'.repeat(900_000), '900000'),
  ],
  [
    'output by a thread that nobody joins',
    'passed',
    'import threading\nthreading.Thread(target=lambda: print("a")).start()',
    stdin('', 'a'),
  ],
  [
    'output by an exit function',
    'passed',
    'import atexit\natexit.register(lambda: print("a"))',
    stdin('', 'a'),
  ],
  [
    'output by a child process',
    'passed',
    'import subprocess\nsubprocess.run(["/bin/echo", "a"])',
    stdin('', 'a'),
  ],
  ['the block of __main__ runs', 'passed', 'if __name__ == "__main__":\n  print("a")', stdin('', 'a')],
  [
    'recursion 30,000 deep',
    'passed',
    'def g(n): return n and 1 + g(n - 1)\nprint(g(30000))',
    stdin('', '30000'),
  ],
  ['recursion without end', 'runtime-error', 'def g(n): return 1 + g(n)\ng(1)', stdin('', '')],
  [
    'names of the usual modules are there',
    'passed',
    'print(sqrt(4), Counter("a"), List[int], heappop([1]))',
    stdin('', "2.0 Counter({'a': 1}) typing.List[int] 1"),
  ],
  [
    'a dataclass and a pickle',
    'passed',
    'from dataclasses import dataclass\nimport pickle\n@dataclass\nclass A:\n  x: int\nprint(pickle.loads(pickle.dumps(A(1))))',
    stdin('', 'A(x=1)'),
  ],
  ['output that is no UTF-8', 'wrong-answer', 'sys.stdout.buffer.write(b"\\xff")', stdin('', 'a')],
  // call
  ['a function that returns the value', 'passed', 'def f(a, b): return a + b', call('1\n2', '3')],
  [
    'a method of Solution',
    'passed',
    'class Solution:\n  def f(self, a): return a[::-1]',
    call('[1,2]', '[2, 1]'),
  ],
  ['prints beside the value', 'passed', 'def f(a):\n  print("x")\n  return a', call('"s"', '"s"')],
  ['a wrong value', 'wrong-answer', 'def f(a): return a', call('1', '2')],
  ['no value', 'wrong-answer', 'def f(a): pass', call('1', '2')],
  ['None where null is expected', 'passed', 'def f(a): pass', call('1', 'null')],
  ['a value that JSON cannot say', 'wrong-answer', 'def f(a): return {1}', call('1', '[1]')],
  ['a dict with keys that are no strings', 'wrong-answer', 'def f(a): return {1: 2}', call('1', '{"1": 2}')],
  ['a deeper tuple is no list', 'wrong-answer', 'def f(a): return [(1, 2)]', call('1', '[[1, 2]]')],
  [
    'a value that holds itself',
    'wrong-answer',
    'def f(a):\n  x = []\n  x.append(x)\n  return x',
    call('1', '[]'),
  ],
  ['a huge integer is exact', 'passed', 'def f(a): return 10**5000 + a', call('1', `1${'0'.repeat(4999)}1`)],
  ['a missing function', 'runtime-error', 'def g(a): return a', call('1', '1')],
  ['the wrong number of arguments', 'runtime-error', 'def f(a): return a', call('1\n2', '1')],
  ['exit instead of a value', 'runtime-error', 'def f(a): sys.exit(0)', call('1', '1')],
  ['os._exit instead of a value', 'runtime-error', 'import os\ndef f(a): os._exit(0)', call('1', '1')],
  ['a value too large', 'output-limit', 'def f(a): return "a" * 10**7', call('1', '1')],
  [
    'memory in a thread of a call',
    'memory-limit',
    'import threading\ndef f(a):\n    out = []\n    t = threading.Thread(target=lambda: out.append([0] * 10**9))\n    t.start()\n    t.join()\n    return len(out)',
    call('1', '1'),
  ],
  ['memory in a call', 'memory-limit', 'def f(a): return [0] * 10**9', call('1', '1')],
  [
    'the block of __main__ does not run',
    'passed',
    'def f(a): return a\nif __name__ == "__main__": 1 / 0',
    call('1', '1'),
  ],
  // check
  ['a check that holds', 'passed', 'def f(a): return a', check('assert f(1) == 1')],
  ['a check that fails', 'wrong-answer', 'def f(a): return a', check('assert f(1) == 2')],
  ['os._exit(0) before the check', 'runtime-error', 'import os\nos._exit(0)', check('assert False')],
  ['sys.exit(0) before the check', 'runtime-error', 'import sys\nsys.exit(0)', check('assert False')],
  ['a check has no names for free', 'runtime-error', 'def f(a): return sqrt(a)', check('assert f(4) == 2')],
  ['a check in an endless loop', 'time-limit', 'def f(a):\n  while True: pass', check('f(1)')],
];

describe('verdicts', () => {
  for (const [claim, verdict, program, one] of claims) {
    test(`${one.kind}: ${claim}: ${verdict}`, async () => {
      const result = await resultOf(program, one);
      expect({ verdict: result.verdict, error: verdict === 'passed' ? result.error : null }).toEqual({
        verdict,
        error: null,
      });
    });
  }

  test('no program, or blanks alone, is no code on every test', async () => {
    for (const program of [null, '', ' \n']) {
      const { verdict, results } = await grade(grader, { program, tests: [stdin('', ''), stdin('', '')] });
      expect([verdict, results.map((result) => result.verdict)]).toEqual(['no-code', ['no-code', 'no-code']]);
    }
  });
});

describe('the contents of a result', () => {
  test('a traceback shows the lines of the program and none of the runner', async () => {
    const { error } = await resultOf('def g():\n  return 1 / 0\ng()', stdin('', ''));
    expect(error).toContain('File "program.py", line 2, in g');
    expect(error).toContain('return 1 / 0');
    expect(error).toContain('ZeroDivisionError');
    expect(error).not.toContain('mars2_grader');
  });

  test('a long error text keeps both ends within 2,000 characters', async () => {
    const { error } = await resultOf('raise ValueError("x" * 10**5 + "end")', stdin('', ''));
    expect(error).toMatch(/^Traceback[\s\S]*left out[\s\S]*end$/);
    expect(error?.length).toBeLessThan(2_100);
  });

  test('a syntax error names its line', async () => {
    const { error } = await resultOf('a = 1\nb = = 2', stdin('', ''));
    expect(error).toContain('line 2');
    expect(error).toContain('SyntaxError');
  });

  test('actual holds what was written, or the value as JSON', async () => {
    expect((await resultOf('print("b")', stdin('', 'a'))).actual).toBe('b\n');
    expect((await resultOf('def f(a): return (a, "x")', call('1', '0'))).actual).toBe('[1, "x"]');
    expect((await resultOf('def f(a): return {7}', call('1', '0'))).actual).toBe('{7}');
  });

  test('CPU time counts work and not sleep', async () => {
    const sleeping = await resultOf('import time; time.sleep(0.3)', stdin('', ''));
    expect(sleeping.wallMs).toBeGreaterThan(290);
    expect(sleeping.cpuMs).toBeLessThan(sleeping.wallMs / 2);
  });

  test('the work of child processes counts as CPU time', async () => {
    const program = 'import os\nfor _ in range(2):\n  if os.fork() == 0:\n    while True: pass\nos.wait()';
    expect((await resultOf(program, stdin('', ''))).verdict).toBe('time-limit');
  });
});

describe('several tests', () => {
  test('the verdict of a candidate is the first that is not passed', async () => {
    const tests = [stdin('1', '1'), stdin('2', '1'), stdin('x', '1')];
    const whole = await grade(grader, { program: 'print(int(input()))', tests });
    expect(whole.verdict).toBe('wrong-answer');
    expect(whole.results.map((result) => result.verdict)).toEqual([
      'passed',
      'wrong-answer',
      'runtime-error',
    ]);
  });

  test('after the first failure nothing has a result when so asked', async () => {
    const tests = [stdin('1', '1'), stdin('2', '1'), stdin('1', '1')];
    const { results } = await grade(grader, { program: 'print(input())', tests, stopAtFirstFailure: true });
    expect(results.map((result) => result.verdict)).toEqual(['passed', 'wrong-answer']);
  });

  test('a test sees nothing of the one before: no globals, no files, no processes', async () => {
    const program = [
      'import os, subprocess',
      'print(len(os.listdir("/tmp")), "seen" in vars(math), len([p for p in os.listdir("/proc") if p.isdigit()]))',
      'math.seen = True',
      'os.makedirs("/tmp/a/b"); open("/tmp/a/b/c", "w").write("x")',
      'subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)',
    ].join('\n');
    const tests = Array.from({ length: 3 }, () => stdin('', '0 False 2'));
    expect((await grade(grader, { program, tests })).verdict).toBe('passed');
  });

  test('sets and unseeded chance come out the same each time', async () => {
    const program = 'print(list({"a", "b", "c", "d", "e"}), random.random(), random.sample(range(99), 5))';
    const other = await openGrader();
    const first = await grade(grader, { program, tests: [stdin('', '')] });
    const second = await grade(other, { program, tests: [stdin('', '')] });
    await other.dispose();
    expect(second.results[0]?.actual).toBe(first.results[0]?.actual);
  });
});
