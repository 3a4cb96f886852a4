import { z } from 'zod';

/** Ids of items that may be removed at once. */
export const MAX_ROOM_ITEMS = 5_000;

/**
 * Something of the workbench that takes room and may go. program: an older upload of ours that no job uses. job-folder: of
 * a job that ended long ago, whose log stays as a copy. log-copies: such copies, on this computer.
 */
export const roomItemSchema = z.object({
  id: z.string().max(200),
  kind: z.enum(['program', 'job-folder', 'log-copies']),
  /** e.g. the job's name. */
  label: z.string(),
  /** Where it is on its machine. */
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  /** When the job ended or the program was uploaded, ISO date. */
  at: z.string(),
});
export type RoomItem = z.infer<typeof roomItemSchema>;

export const machineRoomSchema = z.object({
  /** What may go, the largest first. */
  items: z.array(roomItemSchema).max(MAX_ROOM_ITEMS),
  /** What stays, and why, a sentence each. */
  kept: z.array(z.string()),
});
export type MachineRoomView = z.infer<typeof machineRoomSchema>;

export const cleaningResultSchema = z.object({
  removed: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** What could not be removed, a sentence each. */
  problems: z.array(z.string()),
});
export type CleaningResult = z.infer<typeof cleaningResultSchema>;
