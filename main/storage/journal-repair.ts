import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { syncFolder } from './durable-file';
import { damagedRefusal, type EventLocation, type JournalDamage, scanJournal } from './journal-reader';
import { reasonOf, systemErrorCode } from './system-error';

export type JournalRepair = {
  readonly damage: JournalDamage;
  /** Where the damaged file is now, unchanged. */
  readonly movedTo: string;
};

/** Bytes copied at once. */
const CHUNK_BYTES = 1024 * 1024;

/** Gives the file a second name, the first free `<name>.damaged-<n>` beside it; never overwrites a file. */
async function nameAside(path: string): Promise<string> {
  for (let n = 1; ; n++) {
    const copy = `${path}.damaged-${n}`;
    try {
      await link(path, copy);
      return copy;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Complete lines that follow each other in the file are copied together. */
function spansOf(locations: readonly EventLocation[]): EventLocation[] {
  const spans: { offset: number; length: number }[] = [];
  for (const { offset, length } of locations) {
    const last = spans.at(-1);
    if (last !== undefined && last.offset + last.length === offset) last.length += length + 1;
    else spans.push({ offset, length: length + 1 });
  }
  return spans;
}

async function copySpans(from: string, to: string, spans: readonly EventLocation[]): Promise<void> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'w');
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (const { offset, length } of spans) {
        for (let done = 0; done < length; ) {
          const { bytesRead } = await source.read(
            buffer,
            0,
            Math.min(CHUNK_BYTES, length - done),
            offset + done,
          );
          if (bytesRead === 0) throw new Error('it became shorter during the copy');
          await target.writeFile(buffer.subarray(0, bytesRead));
          done += bytesRead;
        }
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Replaces a damaged journal by a file with its trusted events, copied byte for byte, and keeps the damaged file beside
 * it as `<name>.damaged-<n>`. At any moment, even after a power cut, the path holds the old file or the new one.
 * Refuses, and changes nothing, if the journal is not damaged or none of it can be kept. Nobody may have the journal
 * open for writing.
 */
export async function repairJournal(path: string): Promise<Result<JournalRepair, Refusal>> {
  const temporary = join(dirname(path), `.${basename(path)}.repaired`);
  try {
    const locations: EventLocation[] = [];
    const handle = await open(path, 'r');
    let content: Awaited<ReturnType<typeof scanJournal>>;
    try {
      content = await scanJournal(handle, path, (_event, location) => locations.push(location));
    } finally {
      await handle.close();
    }
    if (!content.ok) return content;
    const { damage } = content.value;
    if (damage === null) {
      return failed({
        code: 'conflict',
        message: `The journal ${path} is not damaged. Nothing was changed.`,
      });
    }
    if (damage.newer > 0) return failed(damagedRefusal(damage));
    if (locations.length === 0) {
      return failed({
        code: 'bad-input',
        message: `The journal ${path} is damaged at line ${damage.line}, and nothing of it can be kept. Nothing was changed.`,
        hint: 'Restore the file from a backup, or move it away and start the study again.',
      });
    }
    await copySpans(path, temporary, spansOf(locations));
    const movedTo = await nameAside(path);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return ok({ damage, movedTo });
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // the first cause is the one to report
    return failed({
      code: systemErrorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable',
      message: `The journal ${path} could not be repaired: ${reasonOf(error)}. It is as it was.`,
    });
  }
}
