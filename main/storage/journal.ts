import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NodeAdded, NodeGraded, Refusal, RunEvent, TreePart } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { syncFolder } from './durable-file';
import { Interner } from './interner';
import { JournalIndex } from './journal-index';
import { encodeEvent, parseEventLine, withoutDetail } from './journal-line';
import { damagedRefusal, type EventLocation, type JournalDamage, scanJournal } from './journal-reader';
import { JournalWriter } from './journal-writer';
import { reasonOf, systemErrorCode } from './system-error';

type RunStarted = Extract<RunEvent, { kind: 'run-started' }>;

/** The two events about one node, with detail. */
export type NodeRecord = { readonly node: NodeAdded; readonly graded: NodeGraded | null };

/** A run's journal, open for reading. Details stay on disk; only slim events are held in memory. */
export type JournalReading = {
  /** null: no line is damaged. Events that cannot be trusted are left out. */
  readonly damage: JournalDamage | null;
  /** All events so far without their detail, as a new array. Holds an event once its bytes are written. */
  readonly events: () => readonly RunEvent[];
  /** One node with its detail; null when the journal has no such node. */
  readonly readDetail: (problemId: string, part: TreePart, index: number) => Promise<NodeRecord | null>;
  /** The events of one tree in their order, with detail. */
  readonly treeEvents: (problemId: string, part: TreePart) => Promise<RunEvent[]>;
  /**
   * Writes and syncs what is pending, if the journal is open for writing, and closes the file. A journal that is only
   * read is opened again by later reads.
   */
  readonly close: () => Promise<void>;
};

/** The append-only record of one run. */
export type Journal = JournalReading & {
  readonly damage: null;
  /** Bytes of a torn last line that opening has cut off; 0 when there was none. */
  readonly cutBytes: number;
  /**
   * Resolves after the operating system has the bytes. When a write fails, this and every later call reject with a
   * `JournalWriteError`, and none of the rejected events is in the file.
   */
  readonly append: (event: RunEvent) => Promise<void>;
};

/** Reads bytes of the journal from an offset on, as FileHandle.read does. */
type ReadBytes = (bytes: Buffer, done: number, position: number) => Promise<number>;

async function readEvent(read: ReadBytes, path: string, location: EventLocation): Promise<RunEvent> {
  const bytes = Buffer.alloc(location.length);
  for (let done = 0; done < location.length; ) {
    const bytesRead = await read(bytes, done, location.offset + done);
    if (bytesRead === 0) throw new Error(`The journal ${path} was cut while it was open.`);
    done += bytesRead;
  }
  const parsed = parseEventLine(bytes);
  if (parsed.kind !== 'event') throw new Error(`The journal ${path} was changed while it was open.`);
  return parsed.event;
}

function readingOf(handle: FileHandle): ReadBytes {
  return async (bytes, done, position) =>
    (await handle.read(bytes, done, bytes.length - done, position)).bytesRead;
}

type JournalLookups = Pick<JournalReading, 'events' | 'readDetail' | 'treeEvents'>;

function journalLookups(read: ReadBytes, path: string, index: JournalIndex): JournalLookups {
  return {
    events: () => index.events.slice(),
    readDetail: async (problemId, part, nodeIndex) => {
      const nodeLocation = index.node(problemId, part, nodeIndex);
      if (nodeLocation === null) return null;
      const gradeLocation = index.grade(problemId, part, nodeIndex);
      const node = await readEvent(read, path, nodeLocation);
      const graded = gradeLocation === null ? null : await readEvent(read, path, gradeLocation);
      if (node.kind !== 'node-added') return null;
      return { node, graded: graded?.kind === 'node-graded' ? graded : null };
    },
    treeEvents: async (problemId, part) => {
      const events: RunEvent[] = [];
      for (const location of index.tree(problemId, part)) events.push(await readEvent(read, path, location));
      return events;
    },
  };
}

function createJournal(
  handle: FileHandle,
  path: string,
  index: JournalIndex,
  writer: JournalWriter,
  cutBytes: number,
): Journal {
  const interner = new Interner();
  let started = index.events.length > 0;
  return {
    ...journalLookups(readingOf(handle), path, index),
    damage: null,
    cutBytes,
    append: (event) => {
      if (!started && event.kind !== 'run-started') {
        return Promise.reject(new Error(`A journal begins with "run-started", not with "${event.kind}".`));
      }
      started = true;
      const line = encodeEvent(event);
      const slim = interner.share({ ...withoutDetail(event) });
      return writer.append(line, (offset) => index.take(slim, { offset, length: line.length - 1 }));
    },
    close: () => writer.close(),
  };
}

function notOpened(path: string, error: unknown): Refusal {
  return {
    code: systemErrorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable',
    message: `The journal ${path} cannot be opened: ${reasonOf(error)}.`,
  };
}

/**
 * Opens a journal for appending; creates it if it is missing. Cuts off a torn last line. Refuses other damage and
 * journals of a newer version, and then leaves the file unchanged.
 */
export async function openJournal(path: string): Promise<Result<Journal, Refusal>> {
  let handle: FileHandle;
  try {
    await mkdir(dirname(path), { recursive: true });
    handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  } catch (error) {
    return failed(notOpened(path, error));
  }
  try {
    const index = new JournalIndex();
    const content = await scanJournal(handle, path, (event, location) => index.take(event, location));
    const refuse = async (refusal: Refusal): Promise<Result<Journal, Refusal>> => {
      await handle.close();
      return failed(refusal);
    };
    if (!content.ok) return await refuse(content.error);
    if (content.value.damage !== null) return await refuse(damagedRefusal(content.value.damage));
    const { goodBytes, tornBytes } = content.value;
    if (tornBytes > 0) await handle.truncate(goodBytes);
    if (goodBytes === 0) await syncFolder(dirname(path));
    const writer = new JournalWriter(handle, path, goodBytes);
    return ok(createJournal(handle, path, index, writer, tornBytes));
  } catch (error) {
    await handle.close();
    return failed(notOpened(path, error));
  }
}

/**
 * Opens a journal for reading, also a damaged one (`damage`), a read-only one, or one that another process is writing
 * (as it is at this moment). Changes nothing.
 */
export async function readJournal(path: string): Promise<Result<JournalReading, Refusal>> {
  const index = new JournalIndex();
  const scanned = await openAndScan(path, (event, location) => index.take(event, location));
  if (!scanned.ok) return scanned;
  const { handle, damage } = scanned.value;
  let closed = false;
  const read: ReadBytes = async (bytes, done, position) => {
    if (!closed) return readingOf(handle)(bytes, done, position);
    const again = await open(path, 'r');
    try {
      return await readingOf(again)(bytes, done, position);
    } finally {
      await again.close();
    }
  };
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await handle.close();
  };
  return ok({ ...journalLookups(read, path, index), damage, close });
}

/**
 * Passes on the trusted events of a journal, slim, slice by slice, and holds none, so that many journals can be folded
 * in little memory. Returns the damage, if any. Changes nothing.
 */
export async function streamJournal(
  path: string,
  take: (event: RunEvent) => void,
): Promise<Result<JournalDamage | null, Refusal>> {
  const scanned = await openAndScan(path, take);
  if (!scanned.ok) return scanned;
  await scanned.value.handle.close();
  return ok(scanned.value.damage);
}

async function openAndScan(
  path: string,
  take: (event: RunEvent, location: EventLocation) => void,
): Promise<Result<{ handle: FileHandle; damage: JournalDamage | null }, Refusal>> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    return failed(notOpened(path, error));
  }
  try {
    const content = await scanJournal(handle, path, take);
    if (content.ok) return ok({ handle, damage: content.value.damage });
    await handle.close();
    return content;
  } catch (error) {
    await handle.close();
    return failed(notOpened(path, error));
  }
}

/** Far above any configuration of a run. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024;

/** The first event of a journal; null if it cannot be read. Reads nothing else. */
export async function readJournalStart(path: string): Promise<RunStarted | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'r');
    let bytes = Buffer.alloc(64 * 1024);
    for (let held = 0; ; ) {
      const { bytesRead } = await handle.read(bytes, held, bytes.length - held, held);
      held += bytesRead;
      const end = bytes.subarray(0, held).indexOf(0x0a);
      if (end !== -1) {
        const parsed = parseEventLine(bytes.subarray(0, end));
        return parsed.kind === 'event' && parsed.event.kind === 'run-started' ? parsed.event : null;
      }
      if (bytesRead === 0 || held >= MAX_HEAD_BYTES) return null;
      if (held === bytes.length) bytes = Buffer.concat([bytes], 4 * bytes.length);
    }
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}
