import type { Value } from '../../preload/contract/commands/index';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Answer, Refusal } from '../../preload/contract/refusal';

export type TerminalOutput = Omit<Extract<WorkbenchEvent, { kind: 'terminal-output' }>, 'kind'>;

/** What draws a terminal; `drawn` is called once the text is on the screen. */
export type TerminalSink = {
  /** On an empty screen: all that was kept of its output. */
  readonly reset: (text: string, drawn: () => void) => void;
  readonly write: (text: string, drawn: () => void) => void;
  /** There is nothing to draw, and why. */
  readonly failed: (error: Refusal) => void;
};

export type TerminalReader = {
  readonly told: (output: TerminalOutput) => void;
  /** Draws it anew from what main keeps. */
  readonly attach: () => Promise<void>;
  readonly dispose: () => void;
};

/** Acknowledgements are told together: one message instead of hundreds, and long before main's reader runs dry. */
const TOLD_UNITS = 32_000;
const TOLD_MS = 20;

/**
 * Draws the output of one terminal whole and in order, whatever comes first: the snapshot or what was told after it.
 * A gap asks for the snapshot again. All places are UTF-16 units since the terminal was opened.
 */
export function createTerminalReader(
  ways: {
    readonly snapshot: () => Promise<Answer<Value<'terminal.attach'>>>;
    /** So many units more are drawn, or will never be. */
    readonly acknowledge: (units: number) => void;
  },
  sink: TerminalSink,
): TerminalReader {
  /** Where the next output begins; null while the snapshot is on its way. */
  let next: number | null = null;
  let waiting: TerminalOutput[] = [];
  let isAsking = false;
  let isOver = false;
  let unacknowledged = 0;
  let drawn = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const tellDrawn = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const units = Math.min(drawn, unacknowledged);
    drawn = 0;
    unacknowledged -= units;
    if (units > 0) ways.acknowledge(units);
  };
  const isDrawn = (units: number): void => {
    if (isOver) return;
    drawn += units;
    if (drawn >= TOLD_UNITS) tellDrawn();
    else timer ??= setTimeout(tellDrawn, TOLD_MS);
  };
  const give = ({ offset, text }: TerminalOutput): void => {
    if (next === null) return;
    // An empty text says that main had given this reader up: what it told since then is missing.
    if (offset > next || text === '') {
      void attach();
      return;
    }
    const fresh = text.slice(next - offset);
    if (fresh === '') return;
    next += fresh.length;
    unacknowledged += fresh.length;
    sink.write(fresh, () => isDrawn(fresh.length));
  };
  const attach = async (): Promise<void> => {
    next = null;
    if (isAsking || isOver) return;
    isAsking = true;
    const answer = await ways.snapshot();
    isAsking = false;
    if (isOver) return;
    if (!answer.ok) {
      waiting = [];
      sink.failed(answer.error);
      return;
    }
    const { offset, text } = answer.value;
    next = offset + text.length;
    // Main counts from here: what was told before is nobody's to acknowledge.
    unacknowledged = 0;
    drawn = 0;
    sink.reset(text, () => {});
    for (const output of waiting.splice(0)) give(output);
  };

  return {
    told: (output) => {
      if (isOver) return;
      if (next !== null) give(output);
      else if (isAsking) waiting.push(output);
    },
    attach,
    dispose: () => {
      if (isOver) return;
      drawn = unacknowledged;
      tellDrawn();
      isOver = true;
    },
  };
}
