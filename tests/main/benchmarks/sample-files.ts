import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Result } from '../../../main/base';
import {
  type BenchmarkLibrary,
  createBenchmarkLibrary,
  createTableReader,
  type ReadTable,
} from '../../../main/benchmarks';
import { type TableProcessLimits, tableProcessLimits } from '../../../main/benchmarks/table-reader';
import type { Refusal } from '../../../preload/contract';
import { buildScript } from '../../support/bundled-script';

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

/** `readTable`: of `tableReader`, where tables are imported. */
export function libraryIn(dataDir: string, readTable?: ReadTable): BenchmarkLibrary {
  const clock = (): number => 1_700_000_000_000;
  return createBenchmarkLibrary({ dataDir, clock, ...(readTable === undefined ? {} : { readTable }) });
}

/** Reads tables as the app does, in processes of their own. */
export async function tableReader(limits: Partial<TableProcessLimits> = {}): Promise<ReadTable> {
  return createTableReader({
    nodeRuntime: { command: process.execPath, env: {} },
    script: await buildScript(resolve('main/benchmarks/table-program.ts')),
    limits: { ...tableProcessLimits, ...limits },
  });
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
