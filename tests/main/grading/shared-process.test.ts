import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { TestCase } from '../../../preload/contract';
import { grade, openGrader } from './sandbox';

// What one test of a candidate may leave for the next one, where several run in one process.

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader(1, 'shared');
});
afterAll(() => grader.dispose());

const stdin = (input: string, expected: string): TestCase => ({ kind: 'stdin', input, expected });
const outputs = async (program: string, tests: readonly TestCase[], entryPoint: string | null = null) => {
  const { results } = await grade(grader, { program, tests, entryPoint });
  return results.map((result) => result.actual?.trim() ?? result.error);
};

/** Each test passes where the answer is what a process of its own would give. */
const passes = async (program: string, tests: readonly TestCase[], entryPoint: string | null = null) => {
  const { verdict, results } = await grade(grader, { program, tests, entryPoint });
  expect(results.map(({ verdict: one, actual, error }) => [one, actual, error])).toEqual(
    results.map((result) => ['passed', result.actual, null]),
  );
  expect(verdict).toBe('passed');
};

test('tests that pass run in one process, those that do not in their own', async () => {
  // Process 1 is the runner, and each further process has the next number.
  const program = 'import os\nprint(input(), os.getpid())';
  const graded = await grade(grader, { program, tests: [stdin('a', ''), stdin('b', '')] });
  const [first, second] = graded.results.map((result) => Number(result.actual?.split(' ')[1]));
  expect(second).toBe((first ?? 0) + 1);
  const tests = ['a', 'b', 'c'].map((name) => stdin(name, `${name} ${(second ?? 0) + 1}`));
  expect((await grade(grader, { program, tests })).verdict).toBe('passed');
});

const THREE = [1, 2, 3].map((n) => stdin(`${n}\n${n}\n`, `${n} 1`));

test.each([
  ['globals', 'seen = globals().get("seen", 0) + 1\nprint(input(), seen)'],
  ['names of the prelude', 'print(input(), 1 if callable(sum) else 2)\nsum = 3'],
  ['deleted names of the prelude', 'print(input(), 1 if "gcd" in globals() else 2)\ndel gcd'],
  [
    'the recursion limit',
    'import sys\nprint(input(), 1 if sys.getrecursionlimit() == 50000 else 2)\nsys.setrecursionlimit(99)',
  ],
  ['chance', 'import random\nprint(input(), 1 if random.random() == 0.8444218515250481 else 2)'],
  ['the arguments', 'import sys\nprint(input(), len(sys.argv))\nsys.argv.append(1)'],
  [
    'the precision of decimals',
    'from decimal import *\nprint(input(), 1 if getcontext().prec == 28 else 2)\ngetcontext().prec = 5',
  ],
  [
    'a replaced stdin',
    'import sys, io\nx = sys.stdin.readline().strip()\nprint(x, 1)\nsys.stdin = io.StringIO("9 9")',
  ],
  ['a replaced stdout', 'import sys, io\nprint(input(), 1, flush=True)\nsys.stdout = io.StringIO()'],
  ['a closed stdin', 'import sys\nprint(input(), 1)\nsys.stdin.close()'],
  ['a closed stdout', 'import sys\nprint(input(), 1)\nsys.stdout.close()'],
  ['closed descriptors', 'import os\nprint(input(), 1, flush=True)\nfor fd in (0, 1, 2): os.close(fd)'],
  ['what was not read', 'print(input(), 1)'],
  ['an end in the middle', 'print(input(), 1)\nexit(3)\nprint(4)'],
  ['an open file on the input', 'f = open(0)\nprint(f.readline().strip(), 1)'],
  [
    'a file object in a cycle',
    'class A: pass\na = A()\na.a = a\na.f = open(0)\nprint(a.f.readline().strip(), 1)',
  ],
  [
    'output at the end of objects',
    'class A:\n  def __del__(self): print("late")\na = A()\nprint(input(), 1)',
  ],
  ['a file', 'import os\nprint(input(), 1 + len(os.listdir("/tmp")))\nopen("/tmp/a", "w").write("x")'],
  [
    'a file that is gone again',
    'import os\nprint(input(), 1)\nopen("/tmp/a", "w").close()\nos.unlink("/tmp/a")',
  ],
  [
    'a thread',
    'import threading, time\nprint(input(), 1)\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()',
  ],
  [
    'a hidden thread',
    't = getattr(sys, "mod" + "ules")["_thread"]\nprint(input(), 1)\nt.start_new_thread(lambda: time.sleep(9), ())',
  ],
  ['a process', 'import os, time\nprint(input(), 1, flush=True)\nif os.fork() == 0: time.sleep(9)'],
  ['an exception that was caught', 'try: 1 / 0\nexcept Exception: pass\nprint(input(), 1)'],
])('%s: the next test finds nothing of it', async (_, program) => {
  await passes(program, THREE);
});

test('memory that a test has taken is not counted for the next one', async () => {
  const program = 'n = int(input())\nx = bytearray(300 * 2**20)\nprint(n, 1)';
  await passes(program, THREE);
});

test('the standard streams are as Python opens them', async () => {
  const program = `import sys
input()
say = lambda s: (s.name, s.mode, s.encoding, s.errors, s.newlines, s.line_buffering, s.write_through, s.buffer.raw.closefd, type(s.buffer).__name__)
print(*map(say, (sys.stdin, sys.stdout, sys.stderr)), sys.stdin is sys.__stdin__, sys.stdout is sys.__stdout__)`;
  const [found] = await outputs(program, [stdin('x', '')]);
  const first = found ?? '';
  await passes(
    program,
    [0, 1, 2].map(() => stdin('x', first)),
  );
});

test('line ends of the input are those of the file', async () => {
  const program = 'import sys\nprint(repr(sys.stdin.read()))';
  await passes(
    program,
    [0, 1, 2].map(() => stdin('a\r\nb\rc\n', String.raw`'a\r\nb\rc\n'`)),
  );
});

test('each call finds a new module and a new solution', async () => {
  const program = `
calls = []
class Solution:
    def f(self, x, seen=[]):
        seen.append(x); calls.append(x)
        return [len(seen), len(calls), x]`;
  const tests = [1, 2, 3].map((x): TestCase => ({ kind: 'call', input: `${x}`, expected: `[1, 1, ${x}]` }));
  await passes(program, tests, 'f');
});

test('a program that knows of the test before passes only what it gets right alone', async () => {
  // State that it hides survives in a shared process; the wrong answer is graded again without it.
  const program = `n = int(input())
kept = sys.__dict__.setdefault("kept", [])
kept.append(n)
print(n if len(kept) == 1 else "wrong")`;
  await passes(
    program,
    [1, 2, 3].map((n) => stdin(`${n}\n`, `${n}`)),
  );
});

test('a test that is slow beside others is run alone, within its own limit, and the verdict is that one', async () => {
  const program = 'n = int(input())\nif n == 2:\n  while True: pass\nprint(n)';
  const tests = [1, 2, 3].map((n) => stdin(`${n}\n`, `${n}`));
  const { results } = await grade(grader, { program, tests });
  expect(results.map((result) => result.verdict)).toEqual(['passed', 'time-limit', 'passed']);
  // Far more than what a test may take in the process of another one.
  expect(results[1]?.cpuMs).toBeGreaterThan(200);
});

test('the times of each test are its own', async () => {
  const program =
    'import time\nn = int(input())\nif n == 2:\n  while time.process_time() < 0.3: pass\nprint(n)';
  const { results } = await grade(grader, { program, tests: [1, 2, 3].map((n) => stdin(`${n}\n`, `${n}`)) });
  expect(results.map((result) => result.verdict)).toEqual(['passed', 'passed', 'passed']);
  expect(results.map((result) => result.cpuMs > 200)).toEqual([false, true, false]);
});

test('a program cannot fake the end of a later test: what it prints between two tests is in no output', async () => {
  // It answers the test, writes on, and waits for the next one in the runner's place.
  const program = `import os
n = int(input())
print(n, flush=True)
for fd in range(3, 64):
    try: os.write(fd, b"+0000000a" + b"x" * 10)
    except OSError: pass`;
  await passes(
    program,
    [1, 2, 3].map((n) => stdin(`${n}\n`, `${n}`)),
  );
});

test('a large output and a large input of many tests come whole', async () => {
  const program = 'import sys\nsys.stdout.write(sys.stdin.read())';
  const texts = ['a', 'b', 'c'].map((letter) => `${letter.repeat(99)}\n`.repeat(3_000));
  await passes(
    program,
    texts.map((text) => stdin(text, text)),
  );
});
