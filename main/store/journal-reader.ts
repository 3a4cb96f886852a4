import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { JOURNAL_VERSION, type Refusal, type RunEvent, runEventSchema } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type ByteLine, LineSplitter, LineTooLongError } from './line-splitter';

/** Far above any event (answers are cut to some 100 kB); a longer line is no journal's. */
export const MAX_EVENT_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Where an event lies in its file. */
export type EventPlace = { readonly offset: number; readonly length: number };

/** The event without what only an inspector looks at. */
export function slimOf(event: RunEvent): RunEvent {
  if ((event.kind !== 'node-added' && event.kind !== 'node-graded') || event.detail === undefined)
    return event;
  const { detail: _, ...slim } = event;
  return slim;
}

type Parsed =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'damaged'; readonly why: string };

/** Is this a journal of a version that does not exist yet? Then its events need not look like ours. */
function newerVersion(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('journalVersion' in value)) return null;
  const version = value.journalVersion;
  return typeof version === 'number' && version > JOURNAL_VERSION ? version : null;
}

/** Parses one whole line of a journal. */
export function parseEventLine(bytes: Buffer): Parsed {
  // Decoding would put a replacement sign for a broken byte, and the damage would go unnoticed.
  if (!isUtf8(bytes)) return { kind: 'damaged', why: 'it is not UTF-8 text' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { kind: 'damaged', why: 'it is not JSON' };
  }
  const version = newerVersion(value);
  if (version !== null) return { kind: 'newer', version };
  const parsed = runEventSchema.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? '' : ` at "${issue.path.join('.')}"`;
  return { kind: 'damaged', why: `it is not an event of a run${field}` };
}

function newer(path: string, version: number): Refusal {
  return {
    code: 'bad-input',
    message: `The journal ${path} was written by a newer version of the workbench (journal version ${version}; this one reads up to ${JOURNAL_VERSION}). Open it with that version.`,
  };
}

function damaged(path: string, line: number, why: string): Refusal {
  return {
    code: 'bad-input',
    message: `The journal ${path} is damaged at line ${line}: ${why}. Nothing was changed.`,
    hint: `Restore the file from a backup, or keep the events before the damage: head -n ${line - 1} of it into a new file in its place.`,
  };
}

export type JournalContent = {
  /** Bytes of whole lines; what lies behind is the torn last line. */
  readonly goodBytes: number;
  readonly tornBytes: number;
};

/**
 * Reads a journal from its start and hands over every event with its place, a line in memory at a time. A last
 * line without its newline was torn by a kill and is left out; anything else that is not an event is damage.
 */
export async function scanJournal(
  handle: FileHandle,
  path: string,
  take: (event: RunEvent, place: EventPlace) => void,
): Promise<Result<JournalContent, Refusal>> {
  const splitter = new LineSplitter(MAX_EVENT_BYTES);
  let lines = 0;
  const read = (line: ByteLine): Refusal | null => {
    lines += 1;
    const parsed = parseEventLine(line.bytes);
    if (parsed.kind === 'newer') return newer(path, parsed.version);
    if (parsed.kind === 'damaged') return damaged(path, lines, parsed.why);
    if (lines === 1 && parsed.event.kind !== 'run-started') {
      return damaged(path, 1, 'a journal begins with "run-started"');
    }
    take(parsed.event, { offset: line.offset, length: line.bytes.length });
    return null;
  };

  let position = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) break;
    position += bytesRead;
    try {
      for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
        const refusal = read(line);
        if (refusal !== null) return failed(refusal);
      }
    } catch (error) {
      if (error instanceof LineTooLongError)
        return failed(damaged(path, error.lineNumber, 'it is far too long'));
      throw error;
    }
  }
  const rest = splitter.rest();
  const goodBytes = rest === null ? position : rest.offset;
  return ok({ goodBytes, tornBytes: position - goodBytes });
}
