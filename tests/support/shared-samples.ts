import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { wholeProgram } from '../../main/base';
import type { TestCase } from '../../preload/contract';
import type { GradingCase } from './grading-case';

/** Real benchmark files and recorded model outputs next to the repository; absent on most machines. */
export const SHARED_DATA = join(import.meta.dirname, '../../../shared/data');
export const hasSharedData = existsSync(join(SHARED_DATA, 'humaneval/HumanEval.jsonl.gz'));

/** `recorded`: the verdict that came with the sample, from the grader that its authors used; null: none. */
export type SharedSample = {
  readonly set: string;
  readonly recorded: boolean | null;
  readonly case: GradingCase;
};

const taskSchema = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});
type Task = z.infer<typeof taskSchema>;

const sampleSchema = z.object({
  task_id: z.string(),
  /** Some rows of codegen-beam have a list of one text. */
  completion: z.union([z.string(), z.array(z.string()).transform((texts) => texts.join('\n'))]).optional(),
  solution: z.string().optional(),
});
const evalPerfSchema = z.object({
  eval: z.record(z.string(), z.object({ profiled: z.array(z.object({ solution: z.string() })) })),
});
/** A row of MGDebugger, LDB, MapCoder, Reflexion, LATS: the problem with what was recorded. */
const rowSchema = z.object({
  task_id: z.union([z.string(), z.number()]).optional(),
  name: z.union([z.string(), z.number()]).optional(),
  prompt: z.string(),
  entry_point: z.string(),
  test: z.string(),
  solution: z.string().nullish(),
  source_codes: z.array(z.string()).nullish(),
  implementations: z.array(z.string()).nullish(),
  is_solved: z.boolean().nullish(),
});
const appsSchema = z.object({
  name: z.string(),
  starter_code: z.string().nullish(),
  test_list: z.array(z.object({ input: z.unknown(), output: z.unknown() })),
  source_codes: z.array(z.string()).nullish(),
  is_solved: z.boolean().nullish(),
});

/** All samples of the shared data, set by set, in the order of the files. */
export function* sharedSamples(): Generator<SharedSample> {
  const tasks = new Map<string, Task>();
  for (const line of lines('humaneval/HumanEval.jsonl.gz')) {
    const task = taskSchema.parse(JSON.parse(line));
    tasks.set(task.task_id, task);
  }
  const plus = evalPlusTests();
  for (const task of tasks.values()) {
    yield* both('humaneval', task, 'canonical', task.prompt + task.canonical_solution, true, plus);
  }
  for (const file of [
    'codet-codegen16b/samples.jsonl.gz',
    ...files('codegen-beam'),
    'agentcoder-gpt35/samples.jsonl.gz',
  ]) {
    const set = file.slice(0, file.indexOf('/'));
    for (const [index, line] of lines(file).entries()) {
      const { task_id, completion, solution } = sampleSchema.parse(JSON.parse(line));
      const task = tasks.get(task_id);
      if (task === undefined) continue;
      const frame = { starterCode: task.prompt, entryPoint: task.entry_point };
      const program =
        solution === undefined ? task.prompt + (completion ?? '') : wholeProgram(solution, frame);
      yield* both(set, task, `${file}:${index + 1}`, program, null, plus);
    }
  }
  const mbpp = new Map(
    lines('mbpp-sanitized/mbpp_sanitized_for_code_generation.jsonl.gz').map((line) => {
      const task = taskSchema.parse(JSON.parse(line));
      return [task.task_id.replace('MbppEval', 'Mbpp'), task];
    }),
  );
  for (const task of mbpp.values()) {
    // The body's indent mostly differs from the docstring's.
    const signature = task.prompt.slice(0, task.prompt.indexOf(':\n') + 2);
    for (const [how, program] of [
      ['whole', task.prompt + task.canonical_solution],
      ['signature', signature + task.canonical_solution],
    ] as const) {
      yield checked('mbpp-sanitized', `${task.task_id} ${how}`, 'mbpp', task, program, null);
    }
  }
  for (const file of files('evalperf-samples')) {
    const { eval: perTask } = evalPerfSchema.parse(JSON.parse(text(file)));
    for (const [taskId, { profiled }] of Object.entries(perTask)) {
      const task = tasks.get(taskId) ?? mbpp.get(taskId);
      if (task === undefined) continue;
      const rules = mbpp.has(taskId) ? 'mbpp' : 'humaneval';
      for (const [index, { solution }] of profiled.entries()) {
        yield checked('evalperf-samples', `${file}:${taskId}:${index}`, rules, task, solution, true);
      }
    }
  }
  for (const folder of [
    'mgdebugger-seeds',
    'ldb-traces',
    'mapcoder-chatgpt/humaneval',
    'mapcoder-chatgpt/mbpp',
    'reflexion-runs',
    'lats-runs',
  ]) {
    for (const file of files(folder)) yield* recordedRows(folder, file);
  }
  for (const file of files('mapcoder-chatgpt/apps')) yield* appsRows(file);
}

function* recordedRows(set: string, file: string): Generator<SharedSample> {
  const rules = /mbpp/i.test(file) ? 'mbpp' : 'humaneval';
  for (const [index, line] of lines(file).entries()) {
    const row = rowSchema.parse(JSON.parse(line));
    const frame = { starterCode: row.prompt, entryPoint: row.entry_point };
    const last = row.solution ?? row.source_codes?.at(-1);
    const programs = [...(row.implementations ?? []), ...(last === undefined ? [] : [last])];
    for (const [turn, program] of programs.entries()) {
      const isLast = turn === programs.length - 1;
      const recorded = isLast ? (row.is_solved ?? null) : null;
      yield checked(set, `${file}:${index + 1}:${turn}`, rules, row, wholeProgram(program, frame), recorded);
    }
  }
}

/** APPS: programs that read stdin, and functions whose arguments are a JSON list. */
function* appsRows(file: string): Generator<SharedSample> {
  for (const [index, line] of lines(file).entries()) {
    const row = appsSchema.parse(JSON.parse(line));
    const program = row.source_codes?.at(-1);
    if (program === undefined) continue;
    const name = /def\s+(\w+)/.exec(row.starter_code ?? '')?.[1] ?? null;
    const tests = row.test_list.flatMap(({ input, output }): TestCase[] => {
      const expected = Array.isArray(output) ? output[0] : output;
      if (name === null) {
        return typeof input === 'string' && typeof expected === 'string'
          ? [{ kind: 'stdin', input, expected }]
          : [];
      }
      const args = argumentsOf(input);
      return args === null
        ? []
        : [
            {
              kind: 'call',
              input: args.map((one) => JSON.stringify(one)).join('\n'),
              expected: JSON.stringify(expected),
            },
          ];
    });
    if (tests.length === 0) continue;
    const id = `${file}:${index + 1}`;
    const one: GradingCase = { id, rules: 'livecodebench', program, entryPoint: name, tests };
    yield { set: 'mapcoder-chatgpt/apps', recorded: row.is_solved ?? null, case: one };
  }
}

function argumentsOf(input: unknown): readonly unknown[] | null {
  if (Array.isArray(input)) return input;
  if (typeof input !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(input);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function* both(
  set: string,
  task: Task,
  id: string,
  program: string,
  recorded: boolean | null,
  plus: ReadonlyMap<string, TestCase>,
): Generator<SharedSample> {
  yield checked(set, `${id} ${task.task_id}`, 'humaneval', task, program, recorded);
  const test = plus.get(task.task_id);
  if (test === undefined) return;
  const one: GradingCase = {
    id: `${id} ${task.task_id} plus`,
    rules: 'evalplus',
    program,
    entryPoint: task.entry_point,
    tests: [test],
  };
  yield { set: `${set} (plus)`, recorded: null, case: one };
}

function checked(
  set: string,
  id: string,
  rules: 'humaneval' | 'mbpp',
  task: { readonly test: string; readonly entry_point: string },
  program: string,
  recorded: boolean | null,
): SharedSample {
  const source = `${task.test}\ncheck(${task.entry_point})`;
  const tests: TestCase[] = [{ kind: 'check', source }];
  return { set, recorded, case: { id, rules, program, entryPoint: task.entry_point, tests } };
}

const plusSchema = z.object({
  task_id: z.string(),
  prompt: z.string(),
  canonical_solution: z.string(),
  atol: z.number(),
});

function evalPlusTests(): ReadonlyMap<string, TestCase> {
  const tests = new Map<string, TestCase>();
  for (const line of lines('humaneval/HumanEvalPlus-Mini.jsonl.gz')) {
    const row = plusSchema.parse(JSON.parse(line));
    // As they stand in the file: through JavaScript's numbers 1.0 would become 1.
    const inner = ['base_input', 'plus_input'].map((field) =>
      rawField(line, field).trim().slice(1, -1).trim(),
    );
    const inputs = `[${inner.filter((part) => part !== '').join(', ')}]`;
    const reference = row.prompt + row.canonical_solution;
    tests.set(row.task_id, { kind: 'reference', inputs, reference, tolerance: row.atol });
  }
  return tests;
}

/** The text of a field's value in a JSON object, untouched. */
function rawField(object: string, field: string): string {
  let depth = 0;
  let start = -1;
  for (let at = 0; at < object.length; at += 1) {
    const mark = object[at];
    if (mark === '"') {
      const from = at;
      for (at += 1; object[at] !== '"'; at += 1) if (object[at] === '\\') at += 1;
      const isKey = depth === 1 && start === -1 && object.slice(from, at + 1) === `"${field}"`;
      if (isKey) start = object.indexOf(':', at) + 1;
    } else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}' || mark === ',') {
      if (start !== -1 && depth === 1) return object.slice(start, at);
      if (mark !== ',') depth -= 1;
    }
  }
  return '';
}

function files(folder: string): string[] {
  return readdirSync(join(SHARED_DATA, folder))
    .filter((name) => /\.jsonl?(\.gz)?$/.test(name) && !name.startsWith('selected'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function text(file: string): string {
  const bytes = readFileSync(join(SHARED_DATA, file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function lines(file: string): string[] {
  return text(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
}
