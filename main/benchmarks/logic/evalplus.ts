import { z } from 'zod';
import type { GradingLimits, Problem, TestCase } from '../../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../../base';
import { humanEvalTask } from './humaneval';
import { GIBIBYTE, type ImportedRow, MEBIBYTE } from './imported-row';
import { mbppInputs } from './mbpp-plus-inputs';
import { identifierSchema } from './python-name';
import { isPythonJson, rawElements, rawFields } from './raw-json';
import { rowOf, taskIdSchema } from './rows';

/** All inputs of a test together: at most 60 s (evalplus/eval/__init__.py, untrusted_check); 4 GB. */
export const evalPlusLimits: GradingLimits = {
  cpuSeconds: 60,
  wallSeconds: 90,
  memoryBytes: 4 * GIBIBYTE,
  processes: 16,
  outputBytes: 16 * MEBIBYTE,
};

const rowSchema = z.object({
  task_id: taskIdSchema,
  prompt: z.string().min(1, 'is empty'),
  entry_point: identifierSchema,
  canonical_solution: z.string(),
  atol: z.number().nonnegative('is negative'),
});
type EvalPlusRow = z.output<typeof rowSchema>;

type Inputs = { readonly text: string; readonly form: 'json' | 'python'; readonly count: number };

/**
 * The inputs as the file writes them, digit by digit. EvalPlus' files have NaN and numbers that only Python's json
 * reads correctly.
 */
function inputsOf(
  fields: ReadonlyMap<string, string>,
  name: 'base_input' | 'plus_input',
  taskId: string,
  isMbpp: boolean,
): Result<Inputs, string> {
  const text = fields.get(name);
  if (text === undefined) return failed(`has no "${name}".`);
  // MBPP+ writes an empty object where a problem has no further inputs.
  const lists = text.trim() === '{}' ? [] : rawElements(text);
  if (lists === null) return failed(`has a "${name}" that is not a list.`);
  for (const [i, list] of lists.entries()) {
    if (rawElements(list) === null || !isPythonJson(list)) {
      return failed(`has a "${name}" whose entry ${i + 1} is not a list of arguments.`);
    }
  }
  const python = isMbpp ? mbppInputs(taskId, lists) : null;
  if (python === null) return ok({ text: `[${lists.join(',')}]`, form: 'json', count: lists.length });
  if (!python.ok) return failed(`has a "${name}" ${python.error}`);
  return ok({ text: python.value, form: 'python', count: lists.length });
}

function rowAndFields(
  row: string,
): Result<{ readonly value: EvalPlusRow; readonly fields: ReadonlyMap<string, string> }, string> {
  const fields = rawFields(row);
  if (fields === null) return failed('is not JSON; one JSON object a line is needed.');
  const entries = Object.keys(rowSchema.shape).flatMap((name) => {
    const text = fields.get(name);
    return text === undefined ? [] : [[name, parsedJson(text)] as const];
  });
  const value = rowOf(Object.fromEntries(entries), rowSchema);
  return value.ok ? ok({ value: value.value, fields }) : failed(value.error.message);
}

function referenceTest(inputs: Inputs, row: EvalPlusRow): TestCase[] {
  if (inputs.count === 0) return [];
  return [
    {
      kind: 'reference',
      inputs: inputs.text,
      ...(inputs.form === 'python' ? { inputsForm: 'python' } : {}),
      reference: row.prompt + row.canonical_solution,
      tolerance: row.atol,
    },
  ];
}

function problemOf(
  row: string,
  isMbpp: boolean,
  taskOf: (row: EvalPlusRow) => Omit<Problem, 'publicTests' | 'privateTests'>,
): Result<ImportedRow, string> {
  const parsed = rowAndFields(row);
  if (!parsed.ok) return parsed;
  const { value, fields } = parsed.value;
  const base = inputsOf(fields, 'base_input', value.task_id, isMbpp);
  if (!base.ok) return base;
  const plus = inputsOf(fields, 'plus_input', value.task_id, isMbpp);
  if (!plus.ok) return plus;
  // Two tests, as EvalPlus checks the two lists apart: its tolerance for floats lasts to the end of a list.
  const publicTests = referenceTest(base.value, value);
  const privateTests = [...publicTests, ...referenceTest(plus.value, value)];
  return ok({ problem: { ...taskOf(value), publicTests, privateTests } });
}

/** HumanEval+ with `base_input` and `plus_input` (all, -Mini and -NoExtreme): public = base, private = both. */
export function humanEvalPlusProblem(row: string): Result<ImportedRow, string> {
  return problemOf(row, false, humanEvalTask);
}

/** MBPP+: the prompt is a docstring in front of the program, which the answer has to be in whole. */
export function mbppPlusProblem(row: string): Result<ImportedRow, string> {
  return problemOf(row, true, (value) => ({
    id: value.task_id,
    title: value.entry_point,
    statement: `Write a Python program that does what this docstring says.\n\n\`\`\`python\n${value.prompt.trim()}\n\`\`\``,
    entryPoint: value.entry_point,
    starterCode: '',
    difficulty: null,
    date: null,
    skills: [],
    canonicalProgram: value.prompt + value.canonical_solution,
  }));
}
