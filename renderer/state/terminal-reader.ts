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
  readonly onOutput: (output: TerminalOutput) => void;
  /** Draws it anew from what main keeps. */
  readonly attach: () => Promise<void>;
  readonly dispose: () => void;
};

/** Acknowledgements are told together: one message instead of hundreds, and long before main's reader runs dry. */
const ACKNOWLEDGE_UNITS = 32_000;
const ACKNOWLEDGE_MS = 20;

/**
 * Draws the output of one terminal whole and in order, whatever comes first: the snapshot or what was told after it.
 * A gap asks for the snapshot again. All places are UTF-16 units since the terminal was opened.
 */
export function createTerminalReader(
  deps: {
    readonly snapshot: () => Promise<Answer<Value<'terminal.attach'>>>;
    /** So many units more are drawn, or will never be. */
    readonly acknowledge: (units: number) => void;
  },
  sink: TerminalSink,
): TerminalReader {
  /** Where the next output begins; null while the snapshot is on its way. */
  let next: number | null = null;
  let waiting: TerminalOutput[] = [];
  let isAttaching = false;
  let isDisposed = false;
  let unacknowledged = 0;
  let drawn = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const acknowledge = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const units = Math.min(drawn, unacknowledged);
    drawn = 0;
    unacknowledged -= units;
    if (units > 0) deps.acknowledge(units);
  };
  const onDrawn = (units: number): void => {
    if (isDisposed) return;
    drawn += units;
    if (drawn >= ACKNOWLEDGE_UNITS) acknowledge();
    else timer ??= setTimeout(acknowledge, ACKNOWLEDGE_MS);
  };
  const draw = ({ offset, text }: TerminalOutput): void => {
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
    sink.write(fresh, () => onDrawn(fresh.length));
  };
  const attach = async (): Promise<void> => {
    next = null;
    if (isAttaching || isDisposed) return;
    isAttaching = true;
    const answer = await deps.snapshot();
    isAttaching = false;
    if (isDisposed) return;
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
    for (const output of waiting.splice(0)) draw(output);
  };

  return {
    onOutput: (output) => {
      if (isDisposed) return;
      if (next !== null) draw(output);
      else if (isAttaching) waiting.push(output);
    },
    attach,
    dispose: () => {
      if (isDisposed) return;
      drawn = unacknowledged;
      acknowledge();
      isDisposed = true;
    },
  };
}
