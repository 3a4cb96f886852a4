import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work of ours between two turns of the event loop; a turn may take a hundred milliseconds while a search runs. */
const TURN_MS = 10;

/** Long work in turns with that of others. */
export type TimeSlices = {
  /** After every step: lets others work once this has worked for long enough. */
  readonly yieldControl: () => Promise<void>;
  /** How long this has worked, without what others did meanwhile. */
  readonly workedMs: () => number;
};

export function createTimeSlices(now: () => number): TimeSlices {
  let earlierMs = 0;
  let since = now();
  return {
    yieldControl: async () => {
      const turnMs = now() - since;
      if (turnMs < TURN_MS) return;
      earlierMs += turnMs;
      await yieldToEventLoop();
      since = now();
    },
    workedMs: () => earlierMs + now() - since,
  };
}
