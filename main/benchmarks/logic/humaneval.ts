import { z } from 'zod';
import type { Problem } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { docstringExamples } from './docstring-examples';
import { parseRow, taskIdSchema } from './rows';

const identifier = z.string().regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'is not a name of Python');

/** One line of HumanEval's file, as github.com/openai/human-eval has it. Further fields are of no use here. */
const humanEvalRowSchema = z.object({
  task_id: taskIdSchema,
  prompt: z.string().min(1, 'is empty'),
  entry_point: identifier,
  canonical_solution: z.string(),
  test: z.string().regex(/^def check\(/m, 'does not define "check"'),
});

export type HumanEvalProblem = { readonly problem: Problem; readonly contradictedExamples: number };

function hintOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  if ('plus_input' in value)
    return ' This is a file of HumanEval+, which is not read yet; take HumanEval.jsonl.gz.';
  if ('completion' in value || 'solution' in value || 'samples' in value) {
    return ' This is a file of recorded samples: import it as a recording.';
  }
  return '';
}

/**
 * A problem from one line of a HumanEval file: the docstring's examples are its public tests, `check` is the
 * private one, as a single test (openai/human-eval, execution.py). The error is the end of a sentence that
 * begins with the line's number.
 */
export function humanEvalProblem(line: string): Result<HumanEvalProblem, string> {
  const row = parseRow(line, humanEvalRowSchema);
  if (!row.ok) return failed(`${row.error.message}${hintOf(row.error.value)}`);
  const { task_id: id, prompt, entry_point: entryPoint, canonical_solution: solution, test } = row.value;
  const { examples, contradicted } = docstringExamples(prompt, entryPoint, test);
  const problem: Problem = {
    id,
    title: entryPoint,
    statement: `Complete this Python function so that it does what its docstring says.\n\n\`\`\`python\n${prompt.trimEnd()}\n\`\`\``,
    entryPoint,
    starterCode: prompt,
    difficulty: null,
    date: null,
    skills: [],
    publicTests: examples.map(({ call, expected }) => ({
      kind: 'check',
      source: `assert ${call} == ${expected}`,
    })),
    privateTests: [{ kind: 'check', source: `${test}\ncheck(${entryPoint})` }],
    canonicalProgram: prompt + solution,
  };
  return ok({ problem, contradictedExamples: contradicted });
}
