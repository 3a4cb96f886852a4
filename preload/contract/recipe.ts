import { z } from 'zod';

/** A trainer that is not built in: a file in resources/recipes/ or in the data folder's recipes/. */
export const recipeSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  name: z.string().min(1).max(80),
  /** Where its documentation is. */
  homepage: z.url(),
  /** One line each what it is for and what to mind. */
  about: z.string().max(2_000),
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
  /** Words of the command; "{name}" stands for a field's value, quoted for the shell. */
  command: z.array(z.string().min(1)).min(1),
  /** Lines of the log that hold numbers. python-dict: `{'loss': 0.1}`; pairs: `step:3 - loss:0.1`. */
  log: z.strictObject({ form: z.enum(['python-dict', 'pairs']), stepKey: z.string().nullable() }).nullable(),
  /** Folder with TensorBoard event files, with fields; null: none. */
  tensorboard: z.string().nullable(),
  /** Logged key to canonical key. */
  keys: z.record(z.string(), z.string()).default({}),
  /** Folder of checkpoints, with fields; each of its folders that has a number in its name is one. */
  checkpoints: z.string().nullable(),
  /** The same command, run again, continues from the newest checkpoint; false: it begins anew, or nobody knows. */
  resumes: z.boolean().default(false),
});
export type Recipe = z.output<typeof recipeSchema>;
