import type { FileHandle } from 'node:fs/promises';
import { JOURNAL_VERSION, type Refusal, type RunEvent } from '../../preload/contract';
import { counted, failed, ok, type Result } from '../base';
import { IntactTrees } from './intact-trees';
import { Interner } from './interner';
import { parseLineWithoutDetail } from './journal-line';

/** Far above any event (answers are cut to some 100 kB), so a longer line is damage. */
const MAX_EVENT_BYTES = 256 * 1024 * 1024;
/** Bytes read at once: their lines are parsed in a few milliseconds, then the event loop runs. */
const CHUNK_BYTES = 512 * 1024;
const NEWLINE = 0x0a;

/** Where an event lies in its file, without its newline. */
export type EventLocation = { readonly offset: number; readonly length: number };

/** Why a journal cannot be read as a whole. */
export type JournalDamage = {
  readonly path: string;
  /** newer: its bytes are as they were written, but a newer version wrote some. */
  readonly cause: 'damage' | 'newer';
  /** Lines with an event or a verdict that only a newer version knows. */
  readonly newer: number;
  /** The first line that is not an event, or that shows that lines before it are missing; from 1. */
  readonly line: number;
  readonly why: string;
  /** Lines that cannot be read. */
  readonly unreadable: number;
  /** Readable events after the damage that are left out, because events that they depend on may be missing. */
  readonly leftOut: number;
  readonly kept: number;
};

export type JournalContent = {
  /** Bytes of complete lines; the rest is a torn last line. */
  readonly goodBytes: number;
  readonly tornBytes: number;
  readonly damage: JournalDamage | null;
};

/** `version`: of the journal's form, where that is newer; null: it only has more to say. */
function newer(path: string, version: number | null): Refusal {
  const versions =
    version === null ? '' : ` (journal version ${version}; this one reads up to ${JOURNAL_VERSION})`;
  return {
    code: 'bad-input',
    message: `The journal ${path} was written by a newer version of the workbench${versions}. Open it with that version.`,
  };
}

/** What is wrong and what to do about it; every screen shows this text for a journal that is not read as a whole. */
export function damageText({ path, line, why, cause, newer, unreadable, leftOut, kept }: JournalDamage): {
  readonly message: string;
  readonly hint: string;
} {
  if (cause === 'newer') {
    const entries = counted(newer, 'entry was', 'entries were');
    const without =
      leftOut === 0
        ? ''
        : ` ${counted(leftOut, 'event that depends', 'events that depend')} on them ${leftOut === 1 ? 'is' : 'are'} left out.`;
    return {
      message: `In the journal ${path}, ${entries} made by a newer version of the workbench, the first one in line ${line}.${without} ${counted(kept, 'event is', 'events are')} shown. Nothing is lost, and nothing was changed.`,
      hint: 'Open it with the newer version to see all and to continue. This version only shows it.',
    };
  }
  const lost = unreadable === 0 ? '' : ` ${unreadable} of its lines cannot be read.`;
  const doubtful =
    leftOut === 0
      ? ''
      : ` ${counted(leftOut, 'event')} after the damage ${leftOut === 1 ? 'is' : 'are'} left out too.`;
  const left = kept === 0 ? 'None of it can be shown.' : `${counted(kept, 'event is', 'events are')} shown.`;
  return {
    message: `The journal ${path} is damaged at line ${line}: ${why}.${lost}${doubtful} ${left} Nothing was changed.`,
    hint:
      kept === 0
        ? 'Restore the file from a backup, or move it away and start the study again.'
        : newer > 0
          ? 'A newer version of the workbench wrote a part of it: restore the file from a backup, or repair it with that version.'
          : 'Restore the file from a backup, or repair it: the intact part becomes the journal, the damaged file is kept next to it, and the missing part is searched again.',
  };
}

/** The refusal to write to a damaged journal, which can only be viewed. */
export function damagedRefusal(damage: JournalDamage): Refusal {
  return { code: 'bad-input', ...damageText(damage) };
}

/** Counts a journal's lines while they are read, and decides which can be trusted. */
class JournalScanner {
  readonly #path: string;
  readonly #trees = new IntactTrees();
  readonly #interner = new Interner();
  readonly #take: (event: RunEvent, location: EventLocation) => void;
  #lines = 0;
  #summed = false;
  #begun = false;
  #first: { readonly line: number; readonly why: string } | null = null;
  /** The first line of a newer version. */
  #firstNewer = 0;
  #newer = 0;
  #unreadable = 0;
  #leftOut = 0;
  #kept = 0;

  constructor(path: string, take: (event: RunEvent, location: EventLocation) => void) {
    this.#path = path;
    this.#take = take;
  }

  get damage(): JournalDamage | null {
    const [unreadable, leftOut, kept, newer] = [this.#unreadable, this.#leftOut, this.#kept, this.#newer];
    const counts = { path: this.#path, newer, unreadable, leftOut, kept };
    if (this.#first !== null) return { cause: 'damage', ...this.#first, ...counts };
    if (newer === 0) return null;
    return { cause: 'newer', line: this.#firstNewer, why: 'a newer version made it', ...counts };
  }

  /** Takes one complete line. Refuses only a newer version; counts damage and continues. */
  line(bytes: Buffer, offset: number): Refusal | null {
    this.#lines += 1;
    const parsed = parseLineWithoutDetail(bytes);
    if (parsed.kind === 'newer' && !this.#begun) return newer(this.#path, parsed.version);
    if (parsed.kind === 'unknown') {
      if (!this.#begun && this.#lines === 1) return newer(this.#path, null);
      this.#countNewer();
      if (parsed.tree !== null) this.#trees.incomplete(parsed.tree.problemId, parsed.tree.part);
      return null;
    }
    if (parsed.kind !== 'event') {
      this.#countUnreadable(parsed.kind === 'damaged' ? parsed.why : 'it begins another journal');
      return null;
    }
    const { event, summed } = parsed;
    if (this.#summed && !summed) {
      // The lines of this journal have checksums, so the damage hit the key itself.
      this.#countUnreadable('its checksum is missing');
      return null;
    }
    this.#summed ||= summed;
    if (!this.#begun && (event.kind !== 'run-started' || this.#lines > 1)) {
      this.#noteFirstProblem('a journal begins with "run-started"');
      this.#leftOut += 1;
      return null;
    }
    this.#begun = true;
    const judgement = this.#trees.judge(event);
    if (parsed.isNewer) this.#countNewer();
    if (judgement.kind === 'kept') {
      this.#kept += 1;
      this.#take(this.#interner.share(event), { offset, length: bytes.length });
      return null;
    }
    if (judgement.kind === 'gap') this.#noteFirstProblem(judgement.why);
    this.#leftOut += 1;
    return null;
  }

  tooLong(): void {
    this.#lines += 1;
    this.#countUnreadable('it is far too long');
  }

  #countNewer(): void {
    this.#newer += 1;
    this.#firstNewer ||= this.#lines;
  }

  #countUnreadable(why: string): void {
    this.#unreadable += 1;
    this.#noteFirstProblem(why);
    this.#trees.damage();
  }

  #noteFirstProblem(why: string): void {
    this.#first ??= { line: this.#lines, why };
  }
}

/**
 * Reads a journal from its start and passes on every event that can be trusted, slim, with its location. Holds one line
 * in memory at a time and lets the event loop run between slices. Leaves out a last line without a newline, which a
 * kill has torn. Damage is part of the result: after it, an event is passed on only if no event that it depends on can
 * be missing (`IntactTrees`). Entries of a newer version are no damage, but part of the result too. Refuses only a
 * journal of a newer form.
 */
export async function scanJournal(
  handle: FileHandle,
  path: string,
  take: (event: RunEvent, location: EventLocation) => void,
): Promise<Result<JournalContent, Refusal>> {
  const scanner = new JournalScanner(path, take);
  let buffer = Buffer.allocUnsafe(2 * CHUNK_BYTES);
  /** Bytes in the buffer that do not form a complete line yet, and their offset in the file. */
  let buffered = 0;
  let heldAt = 0;
  for (;;) {
    if (buffered === buffer.length) {
      if (buffered >= MAX_EVENT_BYTES) {
        // If a line does not end, nothing after it can be read.
        scanner.tooLong();
        return ok({ goodBytes: heldAt, tornBytes: 0, damage: scanner.damage });
      }
      buffer = Buffer.concat([buffer], 2 * buffer.length);
    }
    const room = Math.min(CHUNK_BYTES, buffer.length - buffered);
    const { bytesRead } = await handle.read(buffer, buffered, room, heldAt + buffered);
    if (bytesRead === 0) break;
    const filled = buffer.subarray(0, buffered + bytesRead);
    let start = 0;
    for (let end = filled.indexOf(NEWLINE, buffered); end !== -1; end = filled.indexOf(NEWLINE, start)) {
      const refusal = scanner.line(filled.subarray(start, end), heldAt + start);
      if (refusal !== null) return failed(refusal);
      start = end + 1;
    }
    filled.copyWithin(0, start);
    buffered = filled.length - start;
    heldAt += start;
  }
  return ok({ goodBytes: heldAt, tornBytes: buffered, damage: scanner.damage });
}
