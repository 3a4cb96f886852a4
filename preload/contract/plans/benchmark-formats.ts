/**
 * Every published form of a benchmark that can be imported. `label` is for lists, `rules` are the grading rules of the
 * benchmark, `named` is in the name or id of such a benchmark where the rules alone do not tell it from others.
 */
export const BENCHMARK_FORMATS = {
  livecodebench: {
    label: 'LiveCodeBench (test.jsonl to test6.jsonl)',
    rules: 'livecodebench',
    named: null,
  },
  humaneval: { label: 'HumanEval', rules: 'humaneval', named: null },
  'humaneval-plus': { label: 'HumanEval+', rules: 'evalplus', named: 'humaneval' },
  mbpp: { label: 'MBPP, sanitized', rules: 'mbpp', named: null },
  'mbpp-plus': { label: 'MBPP+', rules: 'evalplus', named: 'mbpp' },
  apps: { label: 'APPS', rules: 'plain', named: 'apps' },
  codecontests: { label: 'CodeContests', rules: 'plain', named: 'contests' },
} as const satisfies Record<string, { label: string; rules: string; named: string | null }>;

export type PublishedFormat = keyof typeof BENCHMARK_FORMATS;

export const PUBLISHED_FORMATS = Object.keys(BENCHMARK_FORMATS) as [PublishedFormat, ...PublishedFormat[]];
