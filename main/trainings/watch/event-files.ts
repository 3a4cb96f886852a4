import type { Refusal } from '../../../preload/contract';
import { ok, type Result, shellPath } from '../../base';
import type { Machine } from '../../machines';
import { type EventMessage, readEvent } from '../logic/watch/event-message';
import { RecordReader } from '../logic/watch/record-reader';
import type { FileReader } from './growing-file';

const decoder = new TextDecoder();

/** Records of an event file, as they come. */
export function eventReader(take: {
  readonly event: (event: EventMessage) => void;
  /** Something in it is damaged and was passed over. */
  readonly damaged: () => void;
}): FileReader {
  let records = new RecordReader();
  return {
    push: (bytes) => {
      const before = records.damaged;
      records.push(bytes, (data) => {
        const event = readEvent(data, (utf8) => decoder.decode(utf8));
        if (event === null) take.damaged();
        else take.event(event);
      });
      if (records.damaged > before) take.damaged();
    },
    restart: () => {
      records = new RecordReader();
    },
  };
}

/** Deeper ones are not the training's: run folders lie one or two below. */
const DEEPEST = 4;

/** Event files below the folders, in the order in which they were begun; none where a folder is absent. */
export async function listEventFiles(
  machine: Machine,
  folders: readonly string[],
): Promise<Result<readonly string[], Refusal>> {
  if (folders.length === 0) return ok([]);
  const places = folders.map((folder) => shellPath(folder)).join(' ');
  const script = `for folder in ${places}; do
  [ -d "$folder" ] && find -L "$folder" -maxdepth ${DEEPEST} -type f -name '*tfevents*' 2>/dev/null
done
exit 0`;
  const told = await machine.run(script);
  if (!told.ok) return told;
  const paths = told.value.stdout.split('\n').filter((path) => path.startsWith('/'));
  return ok([...new Set(paths)].toSorted((a, b) => begunAt(a) - begunAt(b) || (a < b ? -1 : 1)));
}

/** Seconds in a name like "events.out.tfevents.1763760000.host.123.0"; a file without comes first. */
function begunAt(path: string): number {
  return Number(/tfevents\.(\d+)/.exec(path)?.[1] ?? 0);
}
