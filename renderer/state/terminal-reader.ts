import type { Value } from '../../preload/contract/commands/index';
import type { WorkbenchEvent } from '../../preload/contract/events';
import type { Answer, Refusal } from '../../preload/contract/refusal';

export type TerminalOutput = Omit<Extract<WorkbenchEvent, { kind: 'terminal-output' }>, 'kind'>;

/** Renders a terminal; `drawn` is called once the text is on the screen. */
export type TerminalSink = {
  /** Replaces the screen with the stored output. */
  readonly reset: (text: string, drawn: () => void) => void;
  readonly write: (text: string, drawn: () => void) => void;
  /** The terminal cannot be shown. */
  readonly failed: (error: Refusal) => void;
};

export type TerminalReader = {
  readonly onOutput: (output: TerminalOutput) => void;
  /** Redraws it from the output that main has stored. */
  readonly attach: () => Promise<void>;
  readonly dispose: () => void;
};

/** Acknowledgements are batched: one message instead of hundreds, long before main would pause. */
const ACKNOWLEDGE_UNITS = 32_000;
const ACKNOWLEDGE_MS = 20;

/**
 * Draws the output of one terminal completely and in order, whether the snapshot or later output arrives first.
 * A gap requests the snapshot again. All offsets are UTF-16 units since the terminal was opened.
 */
export function createTerminalReader(
  deps: {
    readonly snapshot: () => Promise<Answer<Value<'terminal.attach'>>>;
    /** This many more units are drawn, or never will be. */
    readonly acknowledge: (units: number) => void;
  },
  sink: TerminalSink,
): TerminalReader {
  /** Offset of the next output; null while the snapshot loads. */
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
    // An empty text means that main dropped this reader: later output is missing.
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
    // Main counts from here: earlier output needs no acknowledgement.
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
