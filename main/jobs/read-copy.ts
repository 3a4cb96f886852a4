import type { JobLog, LogMatch, LogPiece, Refusal } from '../../preload/contract';
import { logCopyText } from '../../preload/contract';
import { failed, LONGEST_CHARACTER_BYTES, leadingPart, ok, type Result, trailingPart } from '../base';
import type { AsyncResult } from '../machines';
import { reasonOf, replaceUserFile } from '../storage';
import { MAX_COPY_BYTES } from './copy-files';
import type { JobService } from './job-api';
import type { LogCopies, LogCopy } from './log-copies';

type Logs = Pick<JobService, 'readLog' | 'searchLog' | 'findLine' | 'saveLog'>;
type ShownLogs = Pick<JobService, 'readLogOrCopy' | 'searchLog' | 'findLine' | 'saveLog'>;

/** Whether a refusal says that the machine is silent or gone, so that a copy helps. */
function isAway({ code }: Refusal): boolean {
  return code === 'unreachable' || code === 'not-found';
}

/**
 * Logs for people: where a log's machine is silent, gone, or has it no more, the copy on this computer answers, and says so.
 * `isGone`: whether a machine that answers has no file of this log although the job has written one. `contact`: fails as
 * the job's machine does, and reads nothing.
 */
export function withCopies(
  logs: Logs,
  copies: Pick<LogCopies, 'read'>,
  machine: {
    readonly isGone: (id: string, log: JobLog, piece: LogPiece) => boolean;
    readonly contact: (id: string, log: JobLog) => AsyncResult<unknown>;
  },
): ShownLogs {
  const orCopy = async <T>(
    answer: Result<T, Refusal>,
    of: { readonly id: string; readonly log: JobLog },
    read: (copy: LogCopy, why: string) => Result<T, Refusal> | Promise<Result<T, Refusal>>,
  ): Promise<Result<T, Refusal>> => {
    if (answer.ok || !isAway(answer.error)) return answer;
    const copy = await copies.read(of.id, of.log);
    return copy === null ? answer : read(copy, answer.error.message);
  };
  return {
    readLogOrCopy: async (id, log, offset, maxBytes) => {
      const piece = await logs.readLog(id, log, offset, maxBytes);
      if (piece.ok && machine.isGone(id, log, piece.value)) {
        const copy = await copies.read(id, log);
        return copy === null ? piece : ok(pieceOf(copy, FOLDER_GONE, offset, maxBytes));
      }
      return orCopy(piece, { id, log }, (copy, why) => ok(pieceOf(copy, why, offset, maxBytes)));
    },
    searchLog: async (id, log, query, report, signal) =>
      orCopy(await logs.searchLog(id, log, query, report, signal), { id, log }, (copy) =>
        ok(searchIn(copy, query)),
      ),
    findLine: async (id, log, line, signal) =>
      orCopy(await logs.findLine(id, log, line, signal), { id, log }, (copy) => lineIn(copy, line)),
    saveLog: async (id, log, path, report, signal) => {
      const copy = await copies.read(id, log);
      // Saving waits long for a machine that was cut off; of one that is silent already the copy is saved.
      const answer = copy === null ? ok(null) : await machine.contact(id, log);
      return copy === null || answer.ok || !isAway(answer.error)
        ? logs.saveLog(id, log, path, report, signal)
        : save(copy, answer.error.message, path);
    },
  };
}

const FOLDER_GONE = 'The folder of the job is no longer on its machine.';

/** Offsets are those of the log: what lies before the copy counts as left out. */
function pieceOf(copy: LogCopy, why: string, offset: number, maxBytes: number): LogPiece {
  const { from, bytes, at, hasEnd } = copy;
  const size = from + bytes.length;
  const requested = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
  const start = Math.max(from, requested);
  const most = Math.max(maxBytes, LONGEST_CHARACTER_BYTES);
  const part = bytes.subarray(start - from, start - from + most);
  const skipped = (offset < 0 || start !== requested) && start > 0 ? leadingPart(part) : 0;
  const incomplete = start + part.length === size && hasEnd ? 0 : trailingPart(part);
  const text = part.subarray(skipped, part.length - incomplete);
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(text),
    ...(start + skipped === offset ? {} : { start: start + skipped }),
    ...(from === 0
      ? {}
      : {
          leftOut: { from: 0, to: from, lines: 0, limitBytes: MAX_COPY_BYTES, isCut: false, isCopy: true },
        }),
    nextOffset: start + skipped + text.length,
    size,
    copy: { at, hasEnd, why },
  };
}

/** Lines are counted from the copy's beginning. */
function searchIn(
  { from, bytes }: LogCopy,
  query: { readonly text: string; readonly offset: number; readonly limit: number },
): { readonly matches: readonly LogMatch[]; readonly isComplete: boolean } {
  const lowerCase = query.text.toLowerCase();
  const matches: LogMatch[] = [];
  let [begin, line] = [0, 0];
  while (begin < bytes.length) {
    const lineEnd = bytes.indexOf(10, begin);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    line += 1;
    if (from + begin >= query.offset) {
      const text = new TextDecoder().decode(bytes.subarray(begin, end));
      const at = text.toLowerCase().indexOf(lowerCase);
      if (at !== -1) {
        if (matches.length === query.limit) return { matches, isComplete: false };
        const shown = text.slice(Math.max(0, at - 100), Math.max(0, at - 100) + 400);
        matches.push({ offset: from + begin, line, text: shown });
      }
    }
    begin = end + 1;
  }
  return { matches, isComplete: true };
}

function lineIn(
  { from, bytes }: LogCopy,
  line: number,
): Result<{ readonly offset: number; readonly isThere: boolean }, Refusal> {
  if (from > 0) {
    return failed({
      code: 'unavailable',
      message: 'The copy of this log lacks its beginning, so its lines cannot be counted.',
      hint: 'Search for a text instead.',
    });
  }
  let begin = 0;
  for (let at = 1; at < line && begin < bytes.length; at++) {
    const lineEnd = bytes.indexOf(10, begin);
    begin = lineEnd === -1 ? bytes.length : lineEnd + 1;
  }
  return ok({ offset: begin, isThere: begin < bytes.length });
}

async function save(
  { from, bytes, ...copy }: LogCopy,
  why: string,
  path: string,
): Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>> {
  const text = Buffer.concat([
    Buffer.from(`[${logCopyText({ ...copy, why })} Copied: ${copy.at}.]\n`),
    bytes,
  ]);
  try {
    await replaceUserFile(path, text);
    return ok({ path, bytes: text.length });
  } catch (error) {
    return failed({ code: 'unavailable', message: `Cannot save ${path}: ${reasonOf(error)}.` });
  }
}
