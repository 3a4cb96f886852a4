import { z } from 'zod';
import { diagnosticsPartIdSchema, diagnosticsPartSchema } from '../diagnostics';
import { command, done } from './command';

/** More than all parts together can have, in UTF-16 units. */
const text = z.string().min(1).max(2_000_000);
const written = z.object({ path: z.string(), bytes: z.number().int().nonnegative() });

/** The report of a problem: collected, shown to the user, and saved. Nothing of it is sent anywhere. */
export const diagnosticsCommands = {
  /** One part, within its own time limit. `machineId`: whom the doctor checks; null: this computer. */
  'diagnostics.part': command(
    z.strictObject({ part: diagnosticsPartIdSchema, machineId: z.string().min(1).nullable().default(null) }),
    diagnosticsPartSchema,
  ),
  /** The user's note, with keys and names hidden as in the parts. */
  'diagnostics.hide': command(
    z.strictObject({ text: z.string().max(20_000) }),
    z.object({ text: z.string() }),
  ),
  /** For this user alone. Refused with `conflict` where the file exists, unless `overwrite`. */
  'diagnostics.write': command(
    z.strictObject({ path: z.string().min(1), text, overwrite: z.boolean().default(false) }),
    written,
    'terminal',
  ),
  /** Writes the text as it was shown. */
  'diagnostics.choose': command(z.strictObject({ text }), written, 'window'),
  /** Puts an error of the window's page into the app's log. */
  'diagnostics.log': command(
    z.strictObject({ about: z.string().max(200), error: z.string().max(20_000) }),
    done,
    'window',
  ),
};
