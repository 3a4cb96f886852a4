import { LineSplitter, LineTooLongError } from '../../storage';
import type { FileReader } from './growing-file';

/** A rollout with a long answer takes some hundred kilobytes. */
const MAX_LINE_BYTES = 16 * 1_048_576;

/** Complete lines of a file with their offsets; an incomplete last line waits for its end. */
export function jsonLines(on: {
  readonly line: (text: string, offset: number, bytes: number) => void;
  readonly restart: () => void;
}): FileReader {
  let splitter = new LineSplitter(MAX_LINE_BYTES);
  /** A line was too long to be JSON: the rest of the file cannot be split into lines either. */
  let hasFailed = false;
  return {
    push: (bytes) => {
      if (hasFailed) return;
      try {
        for (const line of splitter.push(Buffer.from(bytes)))
          if (line.bytes.length > 0) on.line(line.bytes.toString('utf8'), line.offset, line.bytes.length);
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        hasFailed = true;
      }
    },
    restart: () => {
      splitter = new LineSplitter(MAX_LINE_BYTES);
      hasFailed = false;
      on.restart();
    },
  };
}
