import { problemText } from '../../main/benchmarks/logic/problem-text';
import type { Benchmark, Problem, ProblemOutline, ProblemText } from '../../preload/contract';

const TOPICS = [
  'Paths in a grid',
  'Longest even run',
  'Merge the queues',
  'Count the islands',
  'Swap two digits',
];
const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;

/** As large as LiveCodeBench's last version. */
export const LIVECODEBENCH: Benchmark = {
  id: 'livecodebench-v6',
  name: 'LiveCodeBench v6',
  scale: 'paper',
  problems: 1_055,
  digest: '20c8e1aa04'.padEnd(64, '0'),
  source: 'The form of LiveCodeBench, from the files test.jsonl, test2.jsonl, test3.jsonl, test4.jsonl',
  importedAt: '2026-07-27T09:30:00.000Z',
  limits: {
    cpuSeconds: 6,
    wallSeconds: 24,
    memoryBytes: 4_294_967_296,
    processes: 16,
    outputBytes: 1_048_576,
  },
  notes: [],
  rules: 'livecodebench',
  version: 'v6',
  licence: null,
  marks: [
    { problemId: 'abc301_b', reason: 'several right answers', exclude: true },
    { problemId: 'lc2803', reason: 'checked by hand', exclude: false },
  ],
};

function idOf(benchmark: Benchmark, at: number): string {
  switch (benchmark.rules) {
    case 'livecodebench':
      return at % 3 === 0 ? `lc${2_800 + at}` : `abc${300 + Math.floor(at / 4)}_${'abcd'[at % 4]}`;
    case 'humaneval':
      return `HumanEval/${at}`;
    default:
      return `pocket/test/${String(at).padStart(3, '0')}`;
  }
}

export function sampleOutline(benchmark: Benchmark): ProblemOutline[] {
  const dated = benchmark.rules === 'livecodebench';
  return Array.from({ length: benchmark.problems }, (_, at) => {
    const id = idOf(benchmark, at);
    const month = `${2023 + Math.floor(at / 500)}-${String((Math.floor(at / 45) % 12) + 1).padStart(2, '0')}`;
    return {
      id,
      title: benchmark.rules === 'humaneval' ? id : `${TOPICS[at % TOPICS.length]} ${at}`,
      difficulty: benchmark.rules === 'humaneval' ? null : (DIFFICULTIES[(at * 7) % 3] ?? null),
      platform: dated ? (at % 3 === 0 ? 'leetcode' : 'atcoder') : null,
      date: dated ? `${month}-12` : null,
      publicTests: benchmark.rules === 'humaneval' && at % 5 === 0 ? 0 : 2,
      bytes: 4_000,
    };
  });
}

const PROBLEM: Omit<Problem, 'id' | 'title'> = {
  statement:
    'Given a list of integers: keep only the even numbers, then double each, then report the largest.\n\nInput: the numbers in one line, separated by spaces.\nOutput: one number.',
  entryPoint: null,
  starterCode: '',
  difficulty: 'medium',
  date: null,
  skills: ['keep', 'scale'],
  publicTests: [
    { kind: 'stdin', input: '1 4 -2 8\n', expected: '16\n' },
    { kind: 'stdin', input: '2 2 3\n', expected: '4\n' },
  ],
  privateTests: [],
  canonicalProgram: null,
};

export function sampleProblem(id: string): ProblemText {
  return problemText({ ...PROBLEM, id, title: `Even numbers, ${id}` });
}
