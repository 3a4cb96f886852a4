import { z } from 'zod';
import type { Problem, TestCase } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { humanEvalRowSchema } from './humaneval';
import type { ImportedRow } from './imported-row';
import { parseRow } from './rows';

/** Windows line ends and blanks at the ends, of which the published files have many. */
function trimLines(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}

function names(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The function that the tests are about: the first of the program's own that the first assertion calls. */
function entryPointOf(program: string, assertion: string): string | null {
  const called = new Set(names(assertion, /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\s*\(/gu));
  const defined = names(program, /^(?:def|class)\s+([\p{L}_][\p{L}\p{N}_]*)/gmu);
  return defined.find((name) => called.has(name)) ?? null;
}

type Task = {
  readonly id: string;
  readonly text: string;
  readonly program: string;
  /** Lines to run before every assertion. */
  readonly setup: string;
  readonly assertions: readonly string[];
};

/**
 * The first assertion is public: prompts show it, for it tells the function's name and the form of its result.
 * All assertions are private, each as its own test.
 */
function problemOf({ id, text, program, setup, assertions }: Task): Result<ImportedRow, string> {
  const [shown] = assertions;
  if (shown === undefined) return failed('has no assertions.');
  const entryPoint = entryPointOf(program, shown);
  if (entryPoint === null) return failed('has a first assertion that calls no function of its program.');
  const test = (assertion: string): TestCase => ({
    kind: 'check',
    source: setup === '' ? assertion : `${setup}\n${assertion}`,
  });
  const problem: Problem = {
    id,
    title: entryPoint,
    statement: `${text}\n\nYour code should pass this test:\n\n\`\`\`python\n${shown}\n\`\`\``,
    entryPoint,
    starterCode: '',
    difficulty: null,
    date: null,
    skills: [],
    publicTests: [test(shown)],
    privateTests: assertions.map(test),
    canonicalProgram: program === '' ? null : program,
  };
  return ok({ problem });
}

const NO_TASK_NUMBER = 'is not a number of a problem, like 11 or "Mbpp/11"';
const taskNumber = z.union(
  [z.number().int().nonnegative(), z.string().regex(/^(?:Mbpp\/)?\d+$/, NO_TASK_NUMBER)],
  NO_TASK_NUMBER,
);
function taskId(value: number | string): string {
  return `Mbpp/${String(value).replace('Mbpp/', '')}`;
}

/** Google's own files: sanitized-mbpp.json (`prompt`, `test_imports`) and mbpp.jsonl (`text`, `test_setup_code`). */
const googleRowSchema = z.object({
  task_id: taskNumber,
  text: z.string().optional(),
  prompt: z.string().optional(),
  code: z.string(),
  test_imports: z.array(z.string()).default([]),
  test_setup_code: z.string().default(''),
  test_list: z.array(z.string()).min(1, 'is empty'),
});

export function googleMbppProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, googleRowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { task_id, text, prompt, code, test_imports, test_setup_code, test_list } = parsed.value;
  const statement = prompt ?? text;
  if (statement === undefined) return failed('has neither "prompt" nor "text".');
  return problemOf({
    id: taskId(task_id),
    text: trimLines(statement),
    program: trimLines(code),
    setup: trimLines([...test_imports, test_setup_code].join('\n')),
    assertions: test_list.map(trimLines),
  });
}

/** MBPP as InterCode publishes it. */
const interCodeRowSchema = z.object({
  task_id: taskNumber,
  query: z.string(),
  gold: z.string(),
  tests: z.array(z.string()).min(1, 'is empty'),
  test_setup_code: z.string().default(''),
});

export function interCodeMbppProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, interCodeRowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { task_id, query, gold, tests, test_setup_code } = parsed.value;
  return problemOf({
    id: taskId(task_id),
    text: trimLines(query),
    program: trimLines(gold),
    setup: trimLines(test_setup_code),
    assertions: tests.map(trimLines),
  });
}

/** EvalPlus' MBPP+ as a table of whole programs: a self-contained `test` beside MBPP's own assertions. */
const mbppPlusTableSchema = googleRowSchema.extend({ test: z.string().min(1, 'is empty') });

export function mbppPlusTableProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, mbppPlusTableSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const base = googleMbppProblem(row);
  if (!base.ok) return base;
  const { problem } = base.value;
  const { test } = parsed.value;
  const publicTests = problem.privateTests;
  const privateTests: TestCase[] = [...publicTests, { kind: 'check', source: test }];
  const numpyTests = /^[ \t]*import numpy\b/m.test(test) ? 1 : 0;
  return ok({ problem: { ...problem, publicTests, privateTests }, counts: { numpyTests } });
}

/** Modules that CodeT's tests use without importing them. */
const importsOfTests = ['math', 'cmath'] as const;

const PROGRAM_CHECK = 'program_check = globals().get("check")\n';

/**
 * Sanitized MBPP in HumanEval's fields, as CodeT publishes it: `check` calls the function by its name, and the
 * published file has no call of `check`. The private test is `check` with its call behind it. One problem's own program
 * has a function called `check`, which the test's would hide, so it is renamed there.
 */
export function codeTMbppProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, humanEvalRowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { task_id: id, prompt, entry_point: entryPoint, canonical_solution: solution, test } = parsed.value;
  const [definition = '', text = ''] = prompt.split(/'''|"""/);
  const body = test.slice(test.indexOf('\n') + 1);
  const assertions = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('assert '));
  const [shown] = assertions;
  if (shown === undefined) return failed('has a "test" without an assertion.');
  const imports = importsOfTests
    .filter((name) => new RegExp(`\\b${name}\\.`).test(body))
    .map((name) => `import ${name}\n`)
    .join('');
  const shadowed = /\bcheck\(/g;
  const program =
    body.search(shadowed) !== -1
      ? `${PROGRAM_CHECK}${test.replace(body, body.replaceAll(shadowed, 'program_check('))}`
      : test;
  const problem: Problem = {
    id,
    title: entryPoint,
    statement: `${text.trim()}\n\nComplete this Python function:\n\n\`\`\`python\n${prompt.trimEnd()}\n\`\`\`\n\nYour code should pass this test:\n\n\`\`\`python\n${shown}\n\`\`\``,
    entryPoint,
    starterCode: prompt,
    difficulty: null,
    date: null,
    skills: [],
    publicTests: [{ kind: 'check', source: imports + shown }],
    privateTests: [{ kind: 'check', source: `${imports}${program.trimEnd()}\ncheck(${entryPoint})` }],
    // The solution's indent often differs from the docstring's, which is therefore left out.
    canonicalProgram: `${definition.trimEnd()}\n${solution}`,
  };
  return ok({ problem });
}
