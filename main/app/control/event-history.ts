/** Limits of what is kept for clients that were cut off for a while. */
const MAX_EVENTS = 20_000;
const MAX_CHARACTERS = 16 * 1_048_576;

/** The last events as they are sent, numbered without gaps. */
export type EventHistory = {
  /** Number of the last event; 0: none yet. */
  readonly last: () => number;
  /** Keeps an event, and answers its line. */
  readonly add: (event: unknown) => string;
  /** The lines after that number; null where some of them are no longer kept. */
  readonly after: (sequence: number) => readonly string[] | null;
};

export function createEventHistory(
  limits: { readonly events: number; readonly characters: number } = {
    events: MAX_EVENTS,
    characters: MAX_CHARACTERS,
  },
): EventHistory {
  let lines: string[] = [];
  /** Entries at the start of `kept` that are gone: removing them one by one would move all others each time. */
  let dropped = 0;
  let characters = 0;
  let last = 0;
  return {
    last: () => last,
    add: (event) => {
      last += 1;
      const line = JSON.stringify({ sequence: last, event });
      lines.push(line);
      characters += line.length;
      while (lines.length - dropped > limits.events || characters > limits.characters) {
        characters -= lines[dropped]?.length ?? 0;
        lines[dropped] = '';
        dropped += 1;
      }
      if (dropped > limits.events) {
        lines = lines.slice(dropped);
        dropped = 0;
      }
      return line;
    },
    after: (sequence) => {
      const missed = last - sequence;
      if (missed < 0 || missed > lines.length - dropped) return null;
      return lines.slice(lines.length - missed);
    },
  };
}
