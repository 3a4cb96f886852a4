import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { pocketProblems } from '../../../main/pocket';
import type { TestCase } from '../../../preload/contract';

const DATA = join(import.meta.dirname, '../../../../shared/data');
const SAMPLES_PER_TASK = 10;
const MAX_TESTS = 10;

/** One program and what both graders are asked about it. */
export type PeerSample = {
  readonly id: string;
  readonly program: string;
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  /** The same as the peer reads it (peers.py). */
  readonly forPeer: unknown;
};

function rows<T>(path: string, schema: z.ZodType<T>): T[] {
  const file = join(DATA, path);
  if (!existsSync(file)) return [];
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

const taskSchema = z.object({
  task_id: z.string(),
  prompt: z.string(),
  test: z.string(),
  entry_point: z.string(),
});
const completionSchema = z.object({ task_id: z.string(), completion: z.string() });

/** CodeGen-16B's first ten samples for each problem of HumanEval; empty without ../shared/data. */
export function humanEvalSamples(): PeerSample[] {
  const tasks = new Map(rows('humaneval/HumanEval.jsonl.gz', taskSchema).map((task) => [task.task_id, task]));
  const seen = new Map<string, number>();
  return rows('codet-codegen16b/samples.jsonl.gz', completionSchema).flatMap(({ task_id, completion }) => {
    const [task, number] = [tasks.get(task_id), seen.get(task_id) ?? 0];
    seen.set(task_id, number + 1);
    if (task === undefined || number >= SAMPLES_PER_TASK) return [];
    const source = `${task.test}\ncheck(${task.entry_point})`;
    return [
      {
        id: `${task_id} #${number}`,
        program: task.prompt + completion,
        entryPoint: task.entry_point,
        tests: [{ kind: 'check', source }],
        forPeer: { problem: task, completion },
      },
    ];
  });
}

const STRATEGIES = ['Analogical', 'CoT', 'Direct', 'MapCoder-3-5', 'SelfPlanning'];
const attemptSchema = z.object({
  id: z.union([z.string(), z.number()]),
  starter_code: z.string().nullish(),
  source_codes: z.array(z.string()),
  // Of problems with starter code the outputs are any JSON.
  test_list: z.array(z.object({ input: z.unknown(), output: z.array(z.unknown()) })),
});

/** ChatGPT's programs for the APPS problems that read stdin, by five strategies; empty without ../shared/data. */
export function appsSamples(): PeerSample[] {
  return STRATEGIES.flatMap((strategy) => {
    const seen = new Set<string>();
    const path = `mapcoder-chatgpt/apps/ChatGPT-${strategy}-APPS-Python3-0-1.jsonl.gz`;
    return rows(path, attemptSchema).flatMap((row) => {
      const id = String(row.id);
      const [program] = row.source_codes;
      if (row.starter_code || seen.has(id) || program === undefined) return [];
      seen.add(id);
      const tests = row.test_list
        .slice(0, MAX_TESTS)
        .map(({ input, output }) => ({ input: String(input), expected: String(output[0] ?? '') }));
      return [stdinSample(`${strategy} ${id}`, program, tests)];
    });
  });
}

/** Pocket problems that read stdin, each with its own program, which passes, and with the next one's. */
export function pocketSamples(count: number): PeerSample[] {
  const problems = pocketProblems({ split: 'test', seed: 1, count }).filter(
    (problem) => problem.entryPoint === null,
  );
  return problems.flatMap((problem, i) => {
    const next = problems[(i + 1) % problems.length];
    const tests = problem.privateTests
      .flatMap((test) => (test.kind === 'stdin' ? [{ input: test.input, expected: test.expected }] : []))
      .slice(0, MAX_TESTS);
    return [problem, next].flatMap((of) =>
      of?.canonicalProgram == null
        ? []
        : [stdinSample(`${problem.id} by ${of.id}`, of.canonicalProgram, tests)],
    );
  });
}

function stdinSample(
  id: string,
  program: string,
  tests: readonly { readonly input: string; readonly expected: string }[],
): PeerSample {
  return {
    id,
    program,
    entryPoint: null,
    tests: tests.map((test) => ({ kind: 'stdin', ...test })),
    forPeer: {
      program,
      inputs: tests.map((test) => test.input),
      outputs: tests.map((test) => test.expected),
    },
  };
}
