import { ok } from '../../base';
import type { Machine } from '../../machines';
import { type ConsoleOptions, ConsoleReader } from '../logic/watch/console-reader';
import type { CurveStore } from '../logic/watch/curve-store';
import { GrowingFile } from './growing-file';
import { MAX_READ_BYTES, type WatchSource } from './watch-source';

/** Bytes read from the end of a log that only provides the stage: MARTI's grows by gigabytes. */
const TAIL_BYTES = 8 * 1_048_576;
/** Characters in which an error at the end is looked for. */
const END_CHARACTERS = 4_096;

/** Console logs, oldest first: if a training continues in a new job, its log is a new file. */
export function logSource(
  machine: Machine,
  paths: readonly string[],
  options: ConsoleOptions,
  curves: CurveStore,
): WatchSource {
  let newest: ConsoleReader | null = null;
  let end = '';
  const files = paths.map((path) => {
    let reader = new ConsoleReader(options);
    let decoder = new TextDecoder();
    return new GrowingFile(machine, path, {
      push: (bytes) => {
        newest = reader;
        const text = decoder.decode(bytes, { stream: true });
        end = `${end}${text.slice(-END_CHARACTERS)}`.slice(-END_CHARACTERS);
        reader.push(text, ({ row, ms }) => curves.add('log', row, ms));
      },
      restart: () => {
        reader = new ConsoleReader(options);
        decoder = new TextDecoder();
      },
    });
  });
  return {
    read: async () => {
      // If event files provide the metrics, the log's beginning need not be read for them.
      const tailBytes = curves.timeLines('metrics').length > 0 ? TAIL_BYTES : null;
      let bytes = 0;
      for (const file of files) {
        const chunk = await file.read(MAX_READ_BYTES - bytes, tailBytes);
        if (!chunk.ok) return chunk;
        bytes += chunk.value.bytes;
        if (chunk.value.isBehind) return ok({ bytes, isBehind: true });
      }
      return ok({ bytes, isBehind: false });
    },
    stage: () => newest?.stage ?? null,
    logEnd: () => end,
    steps: () => newest?.progress?.total ?? null,
    rollouts: async () => ok([]),
  };
}
