import { z } from 'zod';

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);

/** Where a value of the paper belongs in an exhibit. */
export const enteredPlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cell'), row: id, column: id }),
  /** `line`: the id of a line of the exhibit, or the name of a line that only the paper's figure has. */
  z.strictObject({
    kind: z.literal('point'),
    line: z.string().trim().min(1).max(80),
    x: z.number().min(0).max(1e9),
  }),
]);
export type EnteredPlace = z.output<typeof enteredPlaceSchema>;

/** A number that somebody of the lab has read in the paper itself, because the workbench's sources lack it. */
export const enteredValueSchema = z.strictObject({
  at: enteredPlaceSchema,
  /** As the paper prints it: percent of a rate. */
  value: z.number().min(-1e9).max(1e9),
  /** Of the PDF that it was read in. */
  page: z.number().int().min(1).max(9_999),
  /** The table or figure there, e.g. "Table 3". */
  where: z.string().trim().min(1).max(60),
  note: z.string().trim().max(200).default(''),
});
export type EnteredValue = z.output<typeof enteredValueSchema>;

/** `exhibits/entered/ID.json`: what the lab has entered for an exhibit. */
export const enteredValuesSchema = z.strictObject({
  version: z.literal(1),
  values: z.array(enteredValueSchema).max(2_000),
});
