import { LineSplitter, LineTooLongError } from '../../storage';
import type { FileReader } from './growing-file';

/** A rollout of a long answer is some hundred kilobytes. */
const LONGEST_LINE_BYTES = 16 * 1_048_576;

/** Whole lines of a file, each with its place; a last line without its end waits for it. */
export function jsonLines(take: {
  readonly line: (text: string, offset: number, bytes: number) => void;
  readonly restart: () => void;
}): FileReader {
  let splitter = new LineSplitter(LONGEST_LINE_BYTES);
  /** A line that is no JSON at all: the rest of the file can not be told apart either. */
  let isGivenUp = false;
  return {
    push: (bytes) => {
      if (isGivenUp) return;
      try {
        for (const line of splitter.push(Buffer.from(bytes)))
          if (line.bytes.length > 0) take.line(line.bytes.toString('utf8'), line.offset, line.bytes.length);
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        isGivenUp = true;
      }
    },
    restart: () => {
      splitter = new LineSplitter(LONGEST_LINE_BYTES);
      isGivenUp = false;
      take.restart();
    },
  };
}
