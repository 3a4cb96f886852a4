import { z } from 'zod';
import type { GradingLimits, Problem, TestCase } from '../../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../../base';
import { callArguments, signatureOf } from './call-arguments';
import { type CountedNote, GIBIBYTE, type ImportedRow, MEBIBYTE, withPublicTests } from './imported-row';
import { isPythonJson, rawElements, rawFields } from './raw-json';
import { withinRowSize } from './row-size';
import { parseRow } from './rows';
import { statementExamples } from './statement-examples';

/** 4 s a test (APPS, testing_util.py). */
export const appsLimits: GradingLimits = {
  cpuSeconds: 4,
  wallSeconds: 20,
  memoryBytes: 4 * GIBIBYTE,
  processes: 64,
  outputBytes: 16 * MEBIBYTE,
};

const difficulties = { introductory: 'easy', interview: 'medium', competition: 'hard' } as const;
const difficulty = z.enum(['introductory', 'interview', 'competition']).optional();
const number = z.union([
  z.number().int(),
  z
    .string()
    .regex(/^[\p{L}\p{N}._/-]{1,200}$/u, 'is not an id: a whole number, or letters, digits and . _ / -'),
]);
const text = z.string();

type AppsTask = {
  readonly id: number | string;
  readonly statement: string;
  readonly difficulty: keyof typeof difficulties | undefined;
  readonly entryPoint: string | null;
  readonly starterCode: string;
};

function problemOf(task: AppsTask, publicTests: TestCase[], privateTests: TestCase[]): Problem {
  return {
    id: String(task.id),
    title: task.entryPoint ?? String(task.id),
    statement: task.statement,
    entryPoint: task.entryPoint,
    starterCode: task.starterCode,
    difficulty: task.difficulty === undefined ? null : difficulties[task.difficulty],
    date: null,
    skills: [],
    publicTests,
    privateTests: withPublicTests(publicTests, privateTests),
    canonicalProgram: null,
  };
}

/** APPS as published (train.jsonl, test.jsonl): the tests are JSON in a string, without a public part. */
const publishedSchema = z.object({
  problem_id: number.optional(),
  id: number.optional(),
  name: number.optional(),
  question: text.min(1, 'is empty'),
  input_output: text.nullish(),
  difficulty,
  starter_code: text.nullish(),
});

/** A text of stdin or stdout, which some rows have as a list of lines. */
function streamText(raw: string): string | null {
  const value = parsedJson(raw);
  if (typeof value === 'string') return value;
  const lines = z.array(z.string()).safeParse(value);
  return lines.success ? lines.data.join('\n') : null;
}

/** APPS compares a result with the output itself, or with the first entry of its list. */
function callOutput(raw: string): string {
  const elements = rawElements(raw);
  return elements?.length === 1 && elements[0] !== undefined ? elements[0] : raw;
}

function publishedTests(
  inputOutput: string,
): Result<{ tests: TestCase[]; entryPoint: string | null }, string> {
  const size = withinRowSize(inputOutput);
  if (!size.ok) return failed(`has an "input_output" that ${size.error}`);
  const fields = rawFields(inputOutput);
  const inputs = rawElements(fields?.get('inputs') ?? '');
  const outputs = rawElements(fields?.get('outputs') ?? '');
  if (inputs === null || outputs === null || inputs.length !== outputs.length) {
    return failed('has an "input_output" without lists of "inputs" and "outputs" of one length.');
  }
  const name = parsedJson(fields?.get('fn_name') ?? 'null');
  const entryPoint = typeof name === 'string' && name !== '' ? name : null;
  const tests: TestCase[] = [];
  for (const [i, input] of inputs.entries()) {
    const output = outputs[i] ?? '';
    if (entryPoint === null) {
      const [read, expected] = [streamText(input), streamText(output)];
      if (read === null || expected === null) {
        return failed(`has an "input_output" whose test ${i + 1} is not text.`);
      }
      tests.push({ kind: 'stdin', input: read, expected });
    } else {
      const values = rawElements(input);
      if (values === null || !values.every(isPythonJson) || !isPythonJson(output)) {
        return failed(`has an "input_output" whose test ${i + 1} is not a list of arguments and a result.`);
      }
      tests.push({ kind: 'call', input: values.join('\n'), expected: callOutput(output) });
    }
  }
  return ok({ tests, entryPoint });
}

/** The statement's examples that its tests do not contradict. */
function publicExamples(statement: string, tests: readonly TestCase[]): TestCase[] {
  const testsByInput = new Map(
    tests.flatMap((test) => (test.kind === 'stdin' ? [[test.input.trim(), test] as const] : [])),
  );
  return statementExamples(statement).flatMap(({ input, output }): TestCase[] => {
    const same = testsByInput.get(input.trim());
    if (same === undefined) return [{ kind: 'stdin', input, expected: output }];
    return same.expected.trim() === output.trim() ? [same] : [];
  });
}

export function appsProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, publishedSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { question, input_output, starter_code, difficulty: level } = parsed.value;
  const id = parsed.value.problem_id ?? parsed.value.id ?? parsed.value.name;
  if (id === undefined) return failed('has no "problem_id" (nor "id" or "name").');
  const read = input_output?.trim() ? publishedTests(input_output) : ok({ tests: [], entryPoint: null });
  if (!read.ok) return read;
  const { tests, entryPoint } = read.value;
  const task: AppsTask = {
    id,
    statement: question,
    difficulty: level,
    entryPoint,
    starterCode: starter_code ?? '',
  };
  const publicTests = entryPoint === null && tests.length > 0 ? publicExamples(question, tests) : [];
  return ok({ problem: problemOf(task, publicTests, tests) });
}

/** CodeTree's selection: programs that read stdin, with lists of inputs and of outputs. */
const testsSchema = z
  .object({ input: z.array(text), output: z.array(text) })
  .refine(({ input, output }) => input.length === output.length, 'does not have as many outputs as inputs');
const codeTreeSchema = z.object({
  name: number,
  description: text.min(1, 'is empty'),
  difficulty,
  public_tests: testsSchema,
  private_tests: testsSchema,
});

function stdinTests({ input, output }: z.output<typeof testsSchema>): TestCase[] {
  return input.map((read, i) => ({ kind: 'stdin', input: read, expected: output[i] ?? '' }));
}

export function codeTreeProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, codeTreeSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { name, description, difficulty: level, public_tests, private_tests } = parsed.value;
  const task = { id: name, statement: description, difficulty: level, entryPoint: null, starterCode: '' };
  return ok({ problem: problemOf(task, stdinTests(public_tests), stdinTests(private_tests)) });
}

/** MapCoder's selection: `sample_io` is public, `test_list` private; outputs are lists of accepted values. */
const mapCoderSchema = z.object({
  id: number.optional(),
  name: number,
  description: text.min(1, 'is empty'),
  difficulty,
  starter_code: text.nullish(),
});

type Pair = { readonly input: string; readonly output: string };

/** Pairs with the first output as it is written, so that numbers keep their digits. */
function pairsOf(raw: string | undefined): Result<Pair[], string> {
  const pairs: Pair[] = [];
  for (const [i, entry] of (rawElements(raw ?? '[]') ?? [null]).entries()) {
    const fields = rawFields(entry ?? '');
    const input = parsedJson(fields?.get('input') ?? '');
    const output = rawElements(fields?.get('output') ?? '')?.[0];
    if (typeof input !== 'string' || output === undefined || !isPythonJson(output)) {
      return failed(`an entry ${i + 1} without an "input" that is text and an "output" that is a list.`);
    }
    pairs.push({ input, output });
  }
  return ok(pairs);
}

function printed(output: string): string {
  const value = parsedJson(output);
  return typeof value === 'string' ? value : output;
}

export function mapCoderProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, mapCoderSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { id, name, description, difficulty: level, starter_code: starter } = parsed.value;
  const fields = rawFields(row);
  const samples = pairsOf(fields?.get('sample_io'));
  if (!samples.ok) return failed(`has a "sample_io" with ${samples.error}`);
  const hidden = pairsOf(fields?.get('test_list'));
  if (!hidden.ok) return failed(`has a "test_list" with ${hidden.error}`);
  const signature = starter ? signatureOf(starter) : null;
  const task: AppsTask = {
    id: id ?? name,
    statement: description,
    difficulty: level,
    entryPoint: signature?.name ?? null,
    starterCode: starter ?? '',
  };
  if (signature === null) {
    const stdin = ({ input, output }: Pair): TestCase => ({
      kind: 'stdin',
      input,
      expected: printed(output),
    });
    const tests = hidden.value.map(stdin);
    const shown = samples.value.length > 0 ? samples.value.map(stdin) : publicExamples(description, tests);
    return ok({ problem: problemOf(task, shown, tests) });
  }
  const pairs = [...samples.value, ...hidden.value];
  const { inputs, isDoubtful } = callArguments(
    pairs.map(({ input }) => input),
    signature,
  );
  const calls = pairs.map(({ output }, i): TestCase[] => {
    const input = inputs[i] ?? null;
    return input === null ? [] : [{ kind: 'call', input, expected: output }];
  });
  const counts: Partial<Record<CountedNote, number>> = {
    unreadableArguments: calls.filter((call) => call.length === 0).length,
    doubtfulArguments: isDoubtful ? 1 : 0,
  };
  const mark = {
    reason: 'the file does not say whether its arguments are numbers or text; numbers are assumed',
    exclude: true,
  };
  return ok({
    problem: problemOf(
      task,
      calls.slice(0, samples.value.length).flat(),
      calls.slice(samples.value.length).flat(),
    ),
    counts,
    ...(isDoubtful ? { marks: [mark] } : {}),
  });
}
