import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../../../main/base';
import { type BenchmarkLibrary, createBenchmarkLibrary } from '../../../main/benchmarks';
import type { Refusal } from '../../../preload/contract';

export function unwrapped<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A HumanEval row of our own; its task is made up. */
export function humanEvalRow(number: number, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    task_id: `Made/${number}`,
    prompt: `def add_${number}(x):\n    """Adds ${number} to x.\n\n    >>> add_${number}(1)\n    ${number + 1}\n    """\n`,
    entry_point: `add_${number}`,
    canonical_solution: `    return x + ${number}\n`,
    test: `def check(candidate):\n    assert candidate(5) == ${number + 5}\n`,
    ...changes,
  });
}

export function humanEvalFile(count: number): string {
  return Array.from({ length: count }, (_, number) => `${humanEvalRow(number)}\n`).join('');
}

export function libraryIn(dataDir: string): BenchmarkLibrary {
  return createBenchmarkLibrary({ dataDir, clock: () => 1_700_000_000_000 });
}

const shared = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data');
export const realFiles = {
  humanEval: join(shared, 'humaneval', 'HumanEval.jsonl.gz'),
  humanEvalPlus: join(shared, 'humaneval', 'HumanEvalPlus-Mini.jsonl.gz'),
  mbpp: join(shared, 'mbpp-sanitized', 'mbpp_sanitized_for_code_generation.jsonl.gz'),
  interCode: join(shared, 'intercode-mbpp', 'ic_mbpp.json.gz'),
  codeTree: join(shared, 'apps-codetree150', 'apps_selected.json.gz'),
  mapCoder: join(shared, 'mapcoder-chatgpt', 'apps', 'selected150.jsonl.gz'),
  codegen: join(shared, 'codet-codegen16b', 'samples.jsonl.gz'),
  gpt35: join(shared, 'agentcoder-gpt35', 'samples.jsonl.gz'),
};
export const hasRealFiles = Object.values(realFiles).every((path) => existsSync(path));
