// Run: npx vitest run --config tests/bench/grading/bench.config.ts
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { compareStdout } from '../../../main/grading';
import type { TestCase } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from '../../main/grading/sandbox';

const CORES = availableParallelism();
const ROUNDS = 3;

/** A small program of the usual kind; the number keeps the grader's memory of grades out of the measurement. */
function program(number: number): string {
  return `import sys
from collections import Counter
def main():
    words = sys.stdin.read().split()
    count = Counter(words)
    print(len(count), max(count.values(), default=0))
main()  # ${number}
`;
}

function testsOf(count: number): TestCase[] {
  return Array.from({ length: count }, (_, i) => ({
    kind: 'stdin',
    input: `${'a b c '.repeat(i + 1)}\n`,
    expected: `3 ${i + 1}\n`,
  }));
}

/** The naive way: the user's own interpreter for each test, no limits, no isolation. */
function runNaively(source: string, input: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('/usr/bin/python3', ['-c', source], { stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('close', () => resolve(output));
    child.stdin.end(input);
  });
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CORES }, worker));
}

async function perSecond(candidates: number, work: (number: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  await inParallel(
    Array.from({ length: candidates }, (_, i) => i),
    work,
  );
  return (candidates * 1000) / (performance.now() - start);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test('candidates a second, sandboxed against one bare python3 a test', async () => {
  const grader = await openGrader(CORES);
  let number = 0;
  const lines = [
    `${CORES} cores; medians of ${ROUNDS} rounds`,
    'tests   ours/s   naive/s   ratio   ours ms per candidate and core',
  ];
  for (const tests of [1, 4, 16, 64]) {
    const cases = testsOf(tests);
    const candidates = Math.max(16, Math.round(120 / tests));
    const ours: number[] = [];
    const naive: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(
        await perSecond(candidates, async () => {
          number += 1;
          const { verdict } = await grade(grader, { program: program(number), tests: cases, limits: LIMITS });
          expect(verdict).toBe('passed');
        }),
      );
      naive.push(
        await perSecond(candidates, async (i) => {
          for (const one of cases) {
            if (one.kind !== 'stdin') continue;
            expect(compareStdout(await runNaively(program(i), one.input), one.expected)).toBe(true);
          }
        }),
      );
    }
    const [us, them] = [median(ours), median(naive)];
    const row = [String(tests).padStart(5), us.toFixed(1).padStart(8), them.toFixed(1).padStart(9)];
    row.push((us / them).toFixed(2).padStart(7), ((1000 * CORES) / us).toFixed(1).padStart(10));
    lines.push(row.join(' '));
  }
  const latencies: number[] = [];
  for (let i = 0; i < 30; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    number += 1;
    const start = performance.now();
    await grade(grader, { program: program(number), tests: testsOf(1), limits: LIMITS });
    latencies.push(performance.now() - start);
  }
  lines.push(`one candidate, one test, on an idle computer: ${median(latencies).toFixed(1)} ms`);
  await grader.dispose();
  console.log(lines.join('\n'));
});
