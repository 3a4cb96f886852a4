import type { Refusal } from '../../../preload/contract';
import { ok, type Result } from '../../base';
import type { Machine } from '../../machines';
import { eventFilesScript } from '../logic/watch/event-listing';
import { type EventMessage, readEvent } from '../logic/watch/event-message';
import { RecordReader } from '../logic/watch/record-reader';
import type { FileReader } from './growing-file';

const decoder = new TextDecoder();

/** Reads the records of an event file as they arrive. */
export function eventReader(on: {
  readonly event: (event: EventMessage) => void;
  /** A damaged part was skipped. */
  readonly damaged: () => void;
}): FileReader {
  let records = new RecordReader();
  return {
    push: (bytes) => {
      const before = records.damaged;
      records.push(bytes, (data) => {
        const event = readEvent(data, (utf8) => decoder.decode(utf8));
        if (event === null) on.damaged();
        else on.event(event);
      });
      if (records.damaged > before) on.damaged();
    },
    restart: () => {
      records = new RecordReader();
    },
  };
}

/** Event files below the folders, ordered by their start; an absent folder has none. */
export async function listEventFiles(
  machine: Machine,
  folders: readonly string[],
): Promise<Result<readonly string[], Refusal>> {
  if (folders.length === 0) return ok([]);
  const result = await machine.run(eventFilesScript(folders));
  if (!result.ok) return result;
  const paths = result.value.stdout.split('\n').filter((path) => path.startsWith('/'));
  return ok([...new Set(paths)].toSorted((a, b) => begunAt(a) - begunAt(b) || (a < b ? -1 : 1)));
}

/** Seconds in a name like "events.out.tfevents.1763760000.host.123.0"; 0 for a name without. */
function begunAt(path: string): number {
  return Number(/tfevents\.(\d+)/.exec(path)?.[1] ?? 0);
}
