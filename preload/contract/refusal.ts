import { z } from 'zod';

/**
 * What is at fault, where a screen offers something for it. file: a file has to be imported, or imported again. python: the
 * Python that grades, not its sandbox. tests: some of an import that Python cannot parse, which it may mark all the same.
 */
export const refusalCauseSchema = z.enum(['file', 'python', 'tests']);

/** Why a call was not carried out. `message` is a whole sentence for a person: what happened, to what, what to do. */
export const refusalSchema = z.object({
  code: z.enum([
    'invalid-payload', // the call's own shape is wrong
    'unknown-command',
    'not-allowed', // a command that this host may not give
    'not-found',
    'conflict', // e.g. a study that already runs
    'bad-input', // a file or value of the user's is wrong
    'unavailable', // something needed is missing: sandbox, Python, a server
    'unreachable', // a machine does not answer: nothing is known of what was asked
    'cancelled', // the user closed a dialog
    'internal', // a bug: the message says how to report it
  ]),
  message: z.string(),
  /** Where it helps: the exact line to type, or the next thing to do. */
  hint: z.string().optional(),
  /** Left out: nothing that a screen knows of, or an earlier version. */
  cause: refusalCauseSchema.optional(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** Every answer over the contract. Failures are data because IPC loses all of an error but its message. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Refusal };
