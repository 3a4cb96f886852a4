import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import {
  JOURNAL_VERSION,
  limitsChangedSchema,
  nodeAddedSchema,
  nodeGradedSchema,
  type RunEvent,
  runEventSchema,
  runExtendedSchema,
  runFinishedSchema,
  runStartedSchema,
  type TreePart,
  treePartSchema,
  treeSearchedSchema,
  trialFailedSchema,
  verdictSchema,
} from '../../preload/contract';

/*
 * A line is the event's JSON plus a last key `"sum"`: the CRC-32, in hex, of the bytes before it. The line is still
 * JSON, and a flipped bit in the middle of a program is noticed. `detail` comes after all other fields, so that a line
 * with a correct sum can be read without parsing the detail.
 */
const SUM_KEY = Buffer.from(',"sum":"');
const SUM_DIGITS = 8;
const SUM_END = Buffer.from('"}');
const SUM_BYTES = SUM_KEY.length + SUM_DIGITS + SUM_END.length;
const NO_SUM = `${SUM_KEY}${'0'.repeat(SUM_DIGITS)}${SUM_END}\n`;

const NODE_START = Buffer.from('{"kind":"node-');
/** Inside a string every quote is escaped, so these bytes can only be the key itself. */
const DETAIL_KEY = Buffer.from(',"detail":{');

const slimEventSchema = z.discriminatedUnion('kind', [
  runStartedSchema,
  nodeAddedSchema.omit({ detail: true }),
  trialFailedSchema,
  nodeGradedSchema.omit({ detail: true }),
  treeSearchedSchema,
  runExtendedSchema,
  limitsChangedSchema,
  runFinishedSchema,
]);

/** The tree that may lack what a line says: null where the line is of a kind that we do not know, which only adds to it. */
type TreeOfLine = { readonly problemId: string; readonly part: TreePart };

export type ParsedLine =
  | {
      readonly kind: 'event';
      readonly event: RunEvent;
      /** Did the line carry a checksum? */
      readonly summed: boolean;
      /** Has it a verdict that only a newer version knows, read as `unknown`? */
      readonly isNewer: boolean;
    }
  /** The first line of a journal whose form is newer. */
  | { readonly kind: 'newer'; readonly version: number }
  /** As it was written, by its checksum, but not of a form that we know: a newer version has added to it. */
  | { readonly kind: 'unknown'; readonly tree: TreeOfLine | null }
  | { readonly kind: 'damaged'; readonly why: string };

/** The event without the detail that only the inspector of a node shows. */
export function withoutDetail(event: RunEvent): RunEvent {
  if ((event.kind !== 'node-added' && event.kind !== 'node-graded') || event.detail === undefined)
    return event;
  const { detail: _, ...slim } = event;
  return slim;
}

/** One line of a journal, its newline included. */
export function encodeEvent(event: RunEvent): Buffer {
  return checksummedLine('detail' in event ? { ...withoutDetail(event), detail: event.detail } : event);
}

/** A line of any journal: the object's JSON with its checksum, and a newline. A `detail` must be its last key. */
export function checksummedLine(value: object): Buffer {
  const line = Buffer.from(JSON.stringify(value).slice(0, -1) + NO_SUM, 'utf8');
  const summedBytes = line.length - 1 - SUM_BYTES;
  line.write(sumOf(line.subarray(0, summedBytes)), summedBytes + SUM_KEY.length, 'latin1');
  return line;
}

function sumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(SUM_DIGITS, '0');
}

/** Checks the line's checksum; `body` is the bytes that it covers. */
function checkSum(line: Buffer): { kind: 'none' } | { kind: 'wrong' } | { kind: 'right'; body: Buffer } {
  const at = line.length - SUM_BYTES;
  if (at < 0 || SUM_KEY.compare(line, at, at + SUM_KEY.length) !== 0) return { kind: 'none' };
  const body = line.subarray(0, at);
  const sum = line.toString('latin1', at + SUM_KEY.length, at + SUM_KEY.length + SUM_DIGITS);
  return sum === sumOf(body) ? { kind: 'right', body } : { kind: 'wrong' };
}

/**
 * A line with its JSON changed by `change`, which gets it without the checksum; one that it leaves alone stays the same
 * to the byte, every other one has a checksum of its own. A damaged line stays damaged.
 */
export function rewriteLine(line: Buffer, change: (json: string) => string): Buffer {
  const sum = checkSum(line);
  const json = sum.kind === 'right' ? `${sum.body}}` : line.toString();
  const changed = change(json);
  if (changed === json) return line;
  if (sum.kind !== 'right') return Buffer.from(changed);
  const body = Buffer.from(changed.slice(0, -1));
  return Buffer.concat([body, SUM_KEY, Buffer.from(sumOf(body)), SUM_END]);
}

/** The journal's version if it is newer than ours, so that its events may look different; otherwise null. */
function newerVersion(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('journalVersion' in value)) return null;
  const version = value.journalVersion;
  return typeof version === 'number' && version > JOURNAL_VERSION ? version : null;
}

/** The text of the event without its detail; the whole line if it has no detail. */
function slimText(body: Buffer): string {
  const isNode = NODE_START.compare(body, 0, NODE_START.length) === 0;
  return isNode ? textWithoutDetail(body) : `${body.toString('utf8')}}`;
}

function textWithoutDetail(body: Buffer): string {
  const detail = body.indexOf(DETAIL_KEY);
  return `${body.toString('utf8', 0, detail === -1 ? body.length : detail)}}`;
}

/**
 * The object of a line with a checksum, without its newline; null: it is damaged. `slim`: without its detail, which is then
 * not parsed.
 */
export function checksummedObject(line: Buffer, { slim }: { readonly slim: boolean }): unknown {
  const sum = checkSum(line);
  if (sum.kind !== 'right') return null;
  try {
    return JSON.parse(slim ? textWithoutDetail(sum.body) : `${sum.body.toString('utf8')}}`);
  } catch {
    return null;
  }
}

/** The value with `unknown` in place of every verdict that this version does not know. */
function withKnownVerdicts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKnownVerdicts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (/verdict$/i.test(key)) return [key, knownVerdict(inner)];
      if (/verdicts$/i.test(key) && Array.isArray(inner)) return [key, inner.map(knownVerdict)];
      return [key, withKnownVerdicts(inner)];
    }),
  );
}

function knownVerdict(value: unknown): unknown {
  return typeof value === 'string' && !verdictSchema.safeParse(value).success ? 'unknown' : value;
}

const KINDS: ReadonlySet<string> = new Set(runEventSchema.options.map(({ shape }) => shape.kind.value));
const treeSchema = z.object({
  kind: z.string().refine((kind) => KINDS.has(kind)),
  problemId: z.string(),
  part: treePartSchema,
});

function treeOf(value: unknown): TreeOfLine | null {
  const parsed = treeSchema.safeParse(value);
  return parsed.success ? { problemId: parsed.data.problemId, part: parsed.data.part } : null;
}

function parseText(text: string, schema: typeof runEventSchema | typeof slimEventSchema, summed: boolean) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'damaged', why: 'it is not JSON' } as const;
  }
  const version = newerVersion(value);
  if (version !== null) return { kind: 'newer', version } as const;
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data, summed, isNewer: false } as const;
  if (summed) {
    const known = schema.safeParse(withKnownVerdicts(value));
    if (known.success) return { kind: 'event', event: known.data, summed, isNewer: true } as const;
    return { kind: 'unknown', tree: treeOf(value) } as const;
  }
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`;
  return { kind: 'damaged', why: `it is not an event of a run${field}` } as const;
}

function parseLine(line: Buffer, slim: boolean): ParsedLine {
  const sum = checkSum(line);
  if (sum.kind === 'wrong') return { kind: 'damaged', why: 'its checksum is wrong' };
  if (sum.kind === 'right') {
    return slim
      ? parseText(slimText(sum.body), slimEventSchema, true)
      : parseText(`${sum.body.toString('utf8')}}`, runEventSchema, true);
  }
  // Decoding would replace a broken byte without an error, and nobody would notice the damage.
  if (!isUtf8(line)) return { kind: 'damaged', why: 'it is not UTF-8 text' };
  return parseText(line.toString('utf8'), runEventSchema, false);
}

/** Parses one whole line of a journal, without its newline. */
export function parseEventLine(line: Buffer): ParsedLine {
  return parseLine(line, false);
}

/**
 * Like `parseEventLine`, without the detail. If the checksum is right, the detail is not parsed, which saves most of
 * the work; a line without a checksum (version 1) is checked as a whole.
 */
export function parseLineWithoutDetail(line: Buffer): ParsedLine {
  const parsed = parseLine(line, true);
  return parsed.kind === 'event' && !parsed.summed
    ? { ...parsed, event: withoutDetail(parsed.event) }
    : parsed;
}
