import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { type JsonSize, jsonSize, parsedJson } from '../../base/index';

/** Changes with the lines that are sent; two of different numbers do not understand each other. */
export const CONTROL_PROTOCOL = 2;

/** Who has the data folder open. */
export const workbenchKindSchema = z.enum(['service', 'window', 'terminal']);
export type WorkbenchKind = z.infer<typeof workbenchKindSchema>;

/** The greeting of a workbench to a new client. */
export const welcomeSchema = z.object({
  protocol: z.number().int(),
  kind: workbenchKindSchema,
  // Printed in terminals.
  version: z
    .string()
    .max(100)
    .regex(/^[ -~]*$/),
  pid: z.number().int().positive(),
  startedAt: z.string().max(100),
  dataDir: z.string().max(10_000),
  /** Identifies this start of the workbench: event numbers begin again with each start. */
  epoch: z.string().max(100),
  /** Of the last event that was sent before. */
  sequence: z.number().int().nonnegative(),
  /** The client has missed events that are no longer kept: what it shows has to be asked for again. */
  isBehind: z.boolean(),
  /** Which of the requests that the client waits for have arrived here; their answers follow. */
  known: z.array(z.number().int()).max(100_000),
});
export type Welcome = z.infer<typeof welcomeSchema>;

/**
 * The answer of a workbench to a client with another protocol. Every version can read it, so that the client knows
 * which side to close.
 */
export const refusedSchema = z.object({
  protocol: z.number().int(),
  version: welcomeSchema.shape.version,
  // Not said by the first ones.
  kind: workbenchKindSchema.optional(),
  pid: z.number().int().positive().optional(),
});
export type Refused = z.infer<typeof refusedSchema>;

/** The first line of a client. */
export const helloSchema = z.object({
  protocol: z.number().int(),
  /** The same at each connection of one client. */
  session: z.string().min(8).max(100),
  /** It connects again after a cut. */
  isKept: z.boolean(),
  /** The last event that it has; null: it has none. */
  last: z.object({ epoch: z.string().max(100), sequence: z.number().int().nonnegative() }).nullable(),
  /** Its requests that have no answer yet. */
  waiting: z.array(z.number().int()).max(100_000),
});
export type Hello = z.infer<typeof helloSchema>;

/** A connection is given up where the other side reads this much too slowly. */
const MAX_UNREAD_BYTES = 64 * 1_048_576;
/** Limits of one line. `json`: null for a process of this user, whose values need not be measured. */
export type LineLimits = { readonly characters: number; readonly json: JsonSize | null };

/** The longest lines are answers with whole logs or trees. */
const OWN_LINES: LineLimits = { characters: 256 * 1_048_576, json: null };

/** Sends a line that is JSON already. */
export function sendText(stream: Duplex, text: string): void {
  if (stream.destroyed) return;
  stream.write(`${text}\n`);
  if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
}

export function send(stream: Duplex, line: unknown): void {
  sendText(stream, JSON.stringify(line));
}

/**
 * Calls back with each line's value. Ends a connection that sends anything but JSON objects, or lines beyond the
 * limits, after a call of `onInvalidData`.
 */
export function readLines(
  stream: Duplex,
  onLine: (line: Readonly<Record<string, unknown>>) => void,
  {
    limits = OWN_LINES,
    onInvalidData = () => undefined,
  }: { readonly limits?: LineLimits; readonly onInvalidData?: () => void } = {},
): void {
  let pieces: string[] = [];
  let length = 0;
  const giveUp = (): void => {
    onInvalidData();
    stream.destroy();
  };
  stream.setEncoding('utf8');
  stream.on('data', (data: string) => {
    const lines = data.split('\n');
    for (const [at, part] of lines.entries()) {
      if (stream.destroyed) return;
      pieces.push(part);
      length += part.length;
      if (length > limits.characters) return giveUp();
      if (at === lines.length - 1) return;
      const line = parsedLine(pieces.join(''), limits);
      pieces = [];
      length = 0;
      if (typeof line !== 'object' || line === null || Array.isArray(line)) return giveUp();
      onLine(line as Readonly<Record<string, unknown>>);
    }
  });
}

const parsedLine = (text: string, { json }: LineLimits): unknown =>
  json === null || jsonSize(text, json).ok ? parsedJson(text) : undefined;
