import type { LeftOutPart } from '../../preload/contract/job';
import type { LogPiece } from '../../preload/contract/server';
import type { LogItem } from './log-lines';

/** What is shown of a log: the lines in memory and where they are in the file. */
export type LogView = {
  /** In the order of the file; a new array whenever one has changed. */
  readonly items: readonly LogItem[];
  /** Bytes held: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  /** Last known size of the file. */
  readonly size: number;
  /** What the log's limit left out; null: nothing, as far as known. */
  readonly leftOut: LeftOutPart | null;
  /** The machine does not answer, and a copy of the newest part is shown; null: it is the log itself. */
  readonly copy: NonNullable<LogPiece['copy']> | null;
  /** True: the newest line is kept in view. */
  readonly follows: boolean;
  /** Where the running read will add lines. */
  readonly loading: 'older' | 'newer' | 'elsewhere' | null;
  /** Why the last read failed. */
  readonly failure: string | null;
  /** The byte of a jump and the number of the jump: the view scrolls to it once. */
  readonly target: { readonly offset: number; readonly jump: number } | null;
};

/** Before the first read. */
export const EMPTY_LOG: LogView = {
  items: [],
  from: 0,
  to: 0,
  size: 0,
  leftOut: null,
  copy: null,
  follows: true,
  loading: null,
  failure: null,
  target: null,
};

/** What a piece says of its file. What a copy lacks is no longer left out once the log itself is read again. */
export function fileState(before: LogView, { size, leftOut, copy }: LogPiece): Partial<LogView> {
  const isBack = copy === undefined && before.leftOut?.isCopy === true;
  const missing = leftOut === undefined ? (isBack ? { leftOut: null } : {}) : { leftOut };
  return { size, copy: copy ?? null, ...missing };
}
