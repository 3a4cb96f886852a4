import { z } from 'zod';

/** A trainer that is not built in: a file in resources/recipes/ or in the data folder's recipes/. */
export const recipeSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  name: z.string().min(1).max(80),
  /** Where its documentation is. */
  homepage: z.url(),
  /** One line each what it is for and what to mind. */
  about: z.string().max(2_000),
  /** Releases of the trainer whose own parser accepted the command, e.g. "verl 0.9.1"; empty: not checked. */
  checkedWith: z.string().max(80).default(''),
  /** Python package of the trainer, looked for where the field `python` is given; empty: it has none. */
  package: z
    .string()
    .regex(/^[\w.-]*$/)
    .max(60)
    .default(''),
  fields: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_]{0,40}$/),
        label: z.string().min(1).max(80),
        help: z.string().max(400).default(''),
        kind: z.enum(['text', 'number', 'path', 'choice']),
        choices: z.array(z.string()).optional(),
        default: z.string().default(''),
        /** An empty value is refused. */
        required: z.boolean().default(true),
      }),
    )
    .max(60),
  /**
   * Words of the command; "{name}" stands for a field's value, quoted for the shell. A word is left out where one of its
   * fields is empty; a list of words (a flag and its value) as a whole.
   */
  command: z.array(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])).min(1),
  /** Name of the number field with the GPUs that it uses of its machine; null: those that are requested. */
  gpus: z.string().nullable().default(null),
  /**
   * The product of the number fields `product` must be a multiple of the number field `of`; 0 GPUs count as 1. null: there
   * is no such rule.
   */
  multiple: z
    .strictObject({ product: z.array(z.string()).min(1).max(6), of: z.string() })
    .nullable()
    .default(null),
  /** Lines of the log that hold numbers. python-dict: `{'loss': 0.1}`; pairs: `step:3 - loss:0.1`. */
  log: z.strictObject({ form: z.enum(['python-dict', 'pairs']), stepKey: z.string().nullable() }).nullable(),
  /** Folder with TensorBoard event files, with fields; null: none. */
  tensorboard: z.string().nullable(),
  /** Logged key to canonical key. */
  keys: z.record(z.string(), z.string()).default({}),
  /** Folder of checkpoints, with fields; each of its folders that has a number in its name is one. */
  checkpoints: z.string().nullable(),
  /** Folder within a checkpoint's folder that holds weights to serve; empty: the checkpoint itself. */
  weights: z
    .string()
    .regex(/^[\w./-]*$/)
    .max(200)
    .default(''),
  /** Folder of rollouts, with fields; null: none. verl: a file STEP.jsonl with a line an answer. */
  rollouts: z
    .strictObject({ form: z.enum(['verl']), folder: z.string() })
    .nullable()
    .default(null),
  /**
   * The same command, run again, continues from the newest checkpoint; false: it starts from the beginning, or this is
   * unknown.
   */
  resumes: z.boolean().default(false),
});
export type Recipe = z.output<typeof recipeSchema>;
