import { z } from 'zod';
import { logPieceSchema } from './server';

/** Absolute, or "~" or "~/..." for the home folder there. */
export const machinePathSchema = z
  .string()
  .max(4_096)
  .regex(/^(\/|~$|~\/)[^\0]*$/, 'a path there begins with "/" or "~/"');

/** folder and file: also behind a link. link: leads nowhere, or in circles. other: a device, a pipe, a socket. */
const machineFileSchema = z.object({
  /** As it is there; may hold control characters, but no line break. */
  name: z.string(),
  kind: z.enum(['folder', 'file', 'link', 'other']),
  bytes: z.number().int().nonnegative(),
  /** ISO date of the last change. */
  changedAt: z.string(),
});
export type MachineFile = z.infer<typeof machineFileSchema>;

/** The first names of a folder of a machine. */
export const fileListingSchema = z.object({
  /** The folder, absolute, without links. */
  folder: z.string(),
  /** Folders first, then by name. */
  files: z.array(machineFileSchema),
  /** Names beyond the limit. */
  more: z.number().int().nonnegative(),
  /** Names with a line break, or that are not UTF-8: no command here can name them safely. */
  unreadable: z.number().int().nonnegative(),
});
export type FileListing = z.infer<typeof fileListingSchema>;

/** A piece of a file of a machine. */
export const filePieceSchema = logPieceSchema.extend({
  /** Absolute, without links in its folders. */
  path: z.string(),
  /** The piece has a zero byte in it: it is no text. */
  isBinary: z.boolean(),
});
export type FilePiece = z.infer<typeof filePieceSchema>;
