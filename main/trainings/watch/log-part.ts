import { ok } from '../../base';
import type { Machine } from '../../machines';
import { type ConsoleOptions, ConsoleReader } from '../logic/watch/console-reader';
import type { CurveBook } from '../logic/watch/curve-book';
import { GrowingFile } from './growing-file';
import { MOST_BYTES, type WatchedPart } from './watched-part';

/** What is read of a log that only tells the stage: MARTI's grows by gigabytes. */
const TAIL_BYTES = 8 * 1_048_576;

/** Console logs, oldest first: where a training goes on in a new job, its log is a new file. */
export function logPart(
  machine: Machine,
  paths: readonly string[],
  options: ConsoleOptions,
  book: CurveBook,
): WatchedPart {
  let newest: ConsoleReader | null = null;
  const files = paths.map((path) => {
    let reader = new ConsoleReader(options);
    let decoder = new TextDecoder();
    return new GrowingFile(machine, path, {
      push: (bytes) => {
        newest = reader;
        reader.push(decoder.decode(bytes, { stream: true }), ({ row, ms }) => book.add('log', row, ms));
      },
      restart: () => {
        reader = new ConsoleReader(options);
        decoder = new TextDecoder();
      },
    });
  });
  return {
    read: async () => {
      // Numbers that event files tell too need not be looked for in the log's beginning.
      const tailBytes = book.timeLines('metrics').length > 0 ? TAIL_BYTES : null;
      let bytes = 0;
      for (const file of files) {
        const reading = await file.read(MOST_BYTES - bytes, tailBytes);
        if (!reading.ok) return reading;
        bytes += reading.value.bytes;
        if (reading.value.isBehind) return ok({ bytes, isBehind: true });
      }
      return ok({ bytes, isBehind: false });
    },
    stage: () => newest?.stage ?? null,
    steps: () => newest?.progress?.total ?? null,
    rollouts: async () => ok([]),
  };
}
