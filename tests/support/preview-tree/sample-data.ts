import { randomStream } from '../../../main/base';
import type { Agent, NodeDetail, NodeView, TreeView, Verdict } from '../../../preload/contract';

export const sampleAgents: readonly Agent[] = ['reader', 'builder', 'checker'].map((name) => ({
  id: name,
  name,
  serverId: name,
  role: null,
  sampling: { temperature: 0.8, topP: 0.95, maxTokens: 2048 },
  extraction: 'last-fence',
}));

const FAILURES: readonly Verdict[] = ['wrong-answer', 'wrong-answer', 'runtime-error', 'time-limit'];

/** A tree that looks like a search's: many first attempts, a few of them refined deeply. */
export function sampleTree(count: number, options: { graded?: boolean; deep?: boolean } = {}): TreeView {
  const random = randomStream('preview', count);
  const nodes: NodeView[] = [];
  for (let index = 0; index < count; index++) {
    const first = index === 0 || random.uniform() < 0.3;
    const fresh = Math.max(0, index - 1 - Math.floor(random.uniform() ** 2 * index));
    const parent = options.deep === true ? index - 1 : first ? -1 : fresh;
    const above = nodes[parent];
    const tests = 3;
    const before = above === undefined ? 0 : above.score;
    const passed = Math.min(tests, Math.floor(before * tests * 0.8 + random.uniform() * 2.2));
    const failure = FAILURES[random.integer(FAILURES.length)] ?? 'wrong-answer';
    const noCode = random.uniform() < 0.05;
    const publicVerdicts: Verdict[] = noCode
      ? []
      : Array.from({ length: tests }, (_, i) => (i < passed ? 'passed' : failure));
    const score = noCode ? 0 : passed / tests;
    const solved = score === 1 && random.uniform() < 0.7;
    const graded = options.graded ?? true;
    const privateVerdicts: Verdict[] = graded
      ? Array.from({ length: 12 }, (_, i) => (solved || i % 3 < passed - 1 ? 'passed' : failure))
      : [];
    nodes.push({
      index,
      parent,
      depth: (above?.depth ?? 0) + 1,
      trial: index,
      agentId: sampleAgents[random.integer(3)]?.id ?? 'reader',
      score,
      reward: null,
      answerEnd: 'stop',
      otherVerdict: null,
      publicVerdict: noCode ? 'no-code' : passed === tests ? 'passed' : failure,
      publicVerdicts,
      privateVerdict: graded ? (noCode ? 'no-code' : solved ? 'passed' : failure) : null,
      privateVerdicts: noCode ? [] : privateVerdicts,
      generationSeed: random.integer(2 ** 31),
      programDigest: noCode
        ? null
        : random
            .integer(2 ** 31)
            .toString(16)
            .padStart(16, '0'),
      promptTokens: 412 + random.integer(900),
      completionTokens: 120 + random.integer(400),
      generateMs: 84.2 + random.integer(100),
      gradeMs: 31.5,
    });
  }
  return {
    problemId: `pocket/test/${count}`,
    part: 'search',
    nodes,
    failures:
      count > 50 ? [{ trial: 7, agentId: 'reader', reason: 'server', message: 'Timed out', nodes: 6 }] : [],
    graded: options.graded === false ? 0 : count,
    searched: 'budget',
  };
}

const PARENT = `import sys

def solve(values):
    """Sum of the even values, then doubled."""
    total = 0
    for value in values:
        if value % 2 == 1:
            total += value
    return total * 2


def main():
    data = sys.stdin.read().split()
    n = int(data[0])
    values = list(map(int, data[1:]))
    print(solve(values))


if __name__ == "__main__":
    main()
`;

const PROGRAM = `import sys

def solve(values):
    """Sum of the even values, then doubled."""
    total = 0
    for value in values:
        if value % 2 == 0:  # even ones count
            total += value
    return total * 2


def main():
    data = sys.stdin.read().split()
    n = int(data[0])
    values = [int(word) for word in data[1 : n + 1]]
    print(solve(values), end=" \\n")


if __name__ == "__main__":
    main()
`;

const STATEMENT = `You are given n whole numbers. Print twice the sum of those that are even.

Input
The first line has n (0 <= n <= 100). The second line has n numbers.

Example
Input:
4
1 2 3 4
Output:
12`;

export const sampleDetail: NodeDetail = {
  answer: `The condition kept the odd values; I turn it around.\n\n\`\`\`python\n${PROGRAM}\`\`\`\n`,
  program: PROGRAM,
  parentProgram: PARENT,
  prompt: [
    {
      role: 'system',
      content: 'You write short, correct Python programs. You read your own failures with care.',
    },
    { role: 'user', content: STATEMENT },
    { role: 'assistant', content: `\`\`\`python\n${PARENT}\`\`\`` },
    { role: 'user', content: 'It fails the public test 1: expected 12, got 8. Write a better program.' },
  ],
  promptIsExact: false,
  why: null,
  publicTests: [
    {
      test: { kind: 'stdin', input: '4\n1 2 3 4\n', expected: '12\n' },
      result: { verdict: 'passed', actual: '12 \n', error: null, cpuMs: 11.4, wallMs: 14 },
    },
    {
      test: { kind: 'stdin', input: '3\n2  2\t2\n', expected: '12\n' },
      result: { verdict: 'wrong-answer', actual: '8 \n', error: null, cpuMs: 10.9, wallMs: 13 },
    },
    { test: { kind: 'stdin', input: '0\n\n', expected: '0\n' }, result: null },
  ],
  privateTests: Array.from({ length: 12 }, (_, i) => ({
    test: { kind: 'stdin' as const, input: `${i + 1}\n${'7 '.repeat(i + 1)}\n`, expected: `${i * 2}\n` },
    result:
      i % 4 === 2
        ? {
            verdict: 'runtime-error' as const,
            actual: null,
            error:
              'Traceback (most recent call last):\n  File "program.py", line 21, in <module>\n    main()\n  File "program.py", line 16, in main\n    n = int(data[0])\nIndexError: list index out of range',
            cpuMs: 12.25,
            wallMs: 15,
          }
        : { verdict: 'passed' as const, actual: `${i * 2}\n`, error: null, cpuMs: 10 + i / 3, wallMs: 14 },
  })),
};
