import { z } from 'zod';

/** A terminal on a machine. Its last output is stored, so that a window that opens later can draw it. */
export const terminalViewSchema = z.object({
  id: z.string(),
  machineId: z.string(),
  title: z.string(),
  /** login: what ssh asks before the machine is connected. */
  purpose: z.enum(['shell', 'login']),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('open') }),
    /** The connection is gone; the shell keeps running in tmux, and the workbench reattaches. */
    z.object({ kind: z.literal('detached'), why: z.string() }),
    z.object({ kind: z.literal('ended'), code: z.number().int().nullable() }),
  ]),
  /** True where tmux holds the shell on the machine: it survives the connection and the app. */
  durable: z.boolean(),
});
export type TerminalView = z.infer<typeof terminalViewSchema>;

export const terminalSizeSchema = {
  columns: z.number().int().min(1).max(1_000),
  rows: z.number().int().min(1).max(1_000),
};

/** What a window draws first: output from `offset` on, counted in UTF-16 units since the terminal was opened. */
export const terminalSnapshotSchema = z.object({
  view: terminalViewSchema,
  offset: z.number().int().nonnegative(),
  text: z.string(),
});
export type TerminalSnapshot = z.infer<typeof terminalSnapshotSchema>;
