import { z } from 'zod';

/**
 * A command: the payload that main checks, the value it returns, and who may call it. `terminal` commands take a path;
 * the window has its own `window` command that shows a file dialog first, so a page can never name a path.
 */
export type CommandHost = 'anywhere' | 'terminal' | 'window';

export function command<P extends z.ZodType, V extends z.ZodType>(
  payload: P,
  value: V,
  host: CommandHost = 'anywhere',
) {
  return { payload, value, host };
}

/** An empty payload, and an answer without a value. */
export const none = z.strictObject({});
export const done = z.null();
