import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type NodeAdded,
  type NodeGraded,
  type Refusal,
  type RunEvent,
  type TreePart,
  treeKey,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { syncFolder } from './durable-file';
import { type EventPlace, parseEventLine, scanJournal, slimOf } from './journal-reader';
import { JournalWriter } from './journal-writer';
import { reasonOf, systemErrorCode } from './system-error';

/** The two events that make up what is known of one node, with their detail. */
export type NodeRecord = { readonly node: NodeAdded; readonly graded: NodeGraded | null };

/** The append-only truth about one run. Details stay on disk; only slim events are held in memory. */
export type Journal = {
  /** Bytes of a torn last line that opening has cut off; 0 when there was none. */
  readonly cutBytes: number;
  /** All events so far without their detail, as a new array. Holds an event once its bytes are written. */
  readonly events: () => readonly RunEvent[];
  /**
   * Resolves after the operating system has the bytes. Rejects with a `JournalWriteError`, then and for ever
   * after, when a write fails: nothing of the rejected events is in the file.
   */
  readonly append: (event: RunEvent) => Promise<void>;
  /** One node with its detail; null when the journal has no such node. */
  readonly readDetail: (problemId: string, part: TreePart, index: number) => Promise<NodeRecord | null>;
  /** The events of one tree in their order, with detail. */
  readonly treeEvents: (problemId: string, part: TreePart) => Promise<RunEvent[]>;
  /** Writes what waits, makes it last, closes the file. */
  readonly close: () => Promise<void>;
};

/** Places of the events of one tree. */
type TreeIndex = {
  readonly all: EventPlace[];
  readonly nodes: Map<number, EventPlace>;
  readonly grades: Map<number, EventPlace>;
};

class JournalIndex {
  readonly events: RunEvent[] = [];
  readonly #trees = new Map<string, TreeIndex>();

  take(event: RunEvent, place: EventPlace): void {
    this.events.push(slimOf(event));
    if (event.kind === 'run-started' || event.kind === 'run-finished') return;
    const key = treeKey(event.problemId, event.part);
    let tree = this.#trees.get(key);
    if (tree === undefined) {
      tree = { all: [], nodes: new Map(), grades: new Map() };
      this.#trees.set(key, tree);
    }
    tree.all.push(place);
    // As in the contract's fold: of a node told twice the first counts, of a grade the last.
    if (event.kind === 'node-added' && !tree.nodes.has(event.index)) tree.nodes.set(event.index, place);
    if (event.kind === 'node-graded') tree.grades.set(event.index, place);
  }

  tree(problemId: string, part: TreePart): TreeIndex | undefined {
    return this.#trees.get(treeKey(problemId, part));
  }
}

async function readEvent(handle: FileHandle, path: string, place: EventPlace): Promise<RunEvent> {
  const bytes = Buffer.alloc(place.length);
  for (let done = 0; done < place.length; ) {
    const { bytesRead } = await handle.read(bytes, done, place.length - done, place.offset + done);
    if (bytesRead === 0) throw new Error(`The journal ${path} was cut while it was open.`);
    done += bytesRead;
  }
  const parsed = parseEventLine(bytes);
  if (parsed.kind !== 'event') throw new Error(`The journal ${path} was changed while it was open.`);
  return parsed.event;
}

function journalOver(
  handle: FileHandle,
  path: string,
  index: JournalIndex,
  writer: JournalWriter,
  cutBytes: number,
): Journal {
  let started = index.events.length > 0;
  return {
    cutBytes,
    events: () => index.events.slice(),
    append: (event) => {
      if (!started && event.kind !== 'run-started') {
        return Promise.reject(new Error(`A journal begins with "run-started", not with "${event.kind}".`));
      }
      started = true;
      const line = Buffer.from(`${JSON.stringify(event)}\n`, 'utf8');
      return writer.append(line, (offset) => index.take(event, { offset, length: line.length - 1 }));
    },
    readDetail: async (problemId, part, nodeIndex) => {
      const tree = index.tree(problemId, part);
      const nodePlace = tree?.nodes.get(nodeIndex);
      if (tree === undefined || nodePlace === undefined) return null;
      const gradePlace = tree.grades.get(nodeIndex);
      const node = await readEvent(handle, path, nodePlace);
      const graded = gradePlace === undefined ? null : await readEvent(handle, path, gradePlace);
      if (node.kind !== 'node-added') return null;
      return { node, graded: graded?.kind === 'node-graded' ? graded : null };
    },
    treeEvents: async (problemId, part) => {
      const events: RunEvent[] = [];
      for (const place of [...(index.tree(problemId, part)?.all ?? [])]) {
        events.push(await readEvent(handle, path, place));
      }
      return events;
    },
    close: () => writer.close(),
  };
}

function notOpened(path: string, error: unknown): Refusal {
  return {
    code: systemErrorCode(error) === 'ENOENT' ? 'not-found' : 'unavailable',
    message: `The journal ${path} can not be opened: ${reasonOf(error)}.`,
  };
}

/**
 * Opens a journal for appending and makes it when it is missing. A torn last line is cut off; damage further in
 * and journals of a newer version are refused, with the file left as it is.
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
    const content = await scanJournal(handle, path, (event, place) => index.take(event, place));
    if (!content.ok) {
      await handle.close();
      return content;
    }
    const { goodBytes, tornBytes } = content.value;
    if (tornBytes > 0) await handle.truncate(goodBytes);
    if (goodBytes === 0) await syncFolder(dirname(path));
    const writer = new JournalWriter(handle, path, goodBytes);
    return ok(journalOver(handle, path, index, writer, tornBytes));
  } catch (error) {
    await handle.close();
    return failed(notOpened(path, error));
  }
}

/**
 * The slim events of a journal that another process may be writing at this moment; a last line that is not whole
 * yet is left out. Changes nothing.
 */
export async function readJournalSlim(path: string): Promise<Result<readonly RunEvent[], Refusal>> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    return failed(notOpened(path, error));
  }
  try {
    const events: RunEvent[] = [];
    const content = await scanJournal(handle, path, (event) => events.push(slimOf(event)));
    return content.ok ? ok(events) : content;
  } catch (error) {
    return failed(notOpened(path, error));
  } finally {
    await handle.close();
  }
}
