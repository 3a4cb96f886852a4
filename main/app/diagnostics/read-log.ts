import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { systemErrorCode } from '../../storage/index';
import { logEntries, shortenedEntry } from '../logic/shorten-log';

/** How many of the newest bytes of each file are read ... */
const READ_BYTES = 400_000;
/** ... and how many characters of both together are shown. */
const MAX_SHOWN = 100_000;
/** This many characters at once take well under the time of a frame. */
const AT_ONCE = 40_000;

/**
 * The newest entries of a log and its rotated part, passed through `hide` and shortened, oldest first. Rejects with the
 * system's error where a file is there and cannot be read.
 */
export async function readLog(
  path: string,
  hide: (text: string) => string,
  signal: { readonly aborted: boolean },
): Promise<string> {
  const parts = [await lastBytes(`${path}.1`), await lastBytes(path)];
  if (parts.every((part) => part === null)) return 'There is no log yet.';
  const entries = parts.flatMap((part) => logEntries(part ?? ''));
  const shown: string[] = [];
  let length = 0;
  let read = 0;
  for (let at = entries.length - 1; at >= 0 && !signal.aborted; at--) {
    // Hidden before it is cut: half a key is not known as one.
    const entry = shortenedEntry(hide(entries[at] ?? ''));
    length += entry.length + 1;
    if (length > MAX_SHOWN) break;
    shown.push(entry);
    read += entries[at]?.length ?? 0;
    if (read < AT_ONCE) continue;
    read = 0;
    await yieldToEventLoop();
  }
  const left = entries.length - shown.length;
  return [
    ...(left > 0 ? [`(older entries are only in the log; these are the newest ${shown.length})`] : []),
    ...shown.reverse(),
  ].join('\n');
}

/** null: there is no such file. */
async function lastBytes(path: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, READ_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
