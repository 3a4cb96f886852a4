/** Beyond this the source waits for the reader (see the machines' flow control), so the reader must acknowledge. */
const UNACKNOWLEDGED_UNITS = 128_000;

/** A drawing window answers within milliseconds; after so long it is gone, hung or asleep. */
const SILENCE_MS = 15_000;

export type Reader = {
  /** False: nobody reads, so nothing needs to be sent. */
  readonly isPresent: () => boolean;
  readonly sent: (units: number) => void;
  /** False: the reader was given up and must attach again. */
  readonly acknowledged: (units: number) => boolean;
  /** A new reader: releases what the one before it has not drawn. */
  readonly attach: () => void;
  readonly dispose: () => void;
};

/**
 * Tracks whether a reader draws what a terminal writes. A program waits for a slow reader, but never for one that is gone:
 * `release` gets the units that will not be acknowledged any more.
 */
export function createReader(release: (units: number) => void, silenceMs = SILENCE_MS): Reader {
  let isPresent = false;
  let outstanding = 0;
  let timer: NodeJS.Timeout | null = null;
  const stopTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const releaseAll = (): void => {
    stopTimer();
    const units = outstanding;
    outstanding = 0;
    if (units > 0) release(units);
  };
  return {
    isPresent: () => isPresent,
    sent: (units) => {
      if (!isPresent) {
        release(units);
        return;
      }
      outstanding += units;
      if (outstanding <= UNACKNOWLEDGED_UNITS || timer !== null) return;
      timer = setTimeout(() => {
        isPresent = false;
        releaseAll();
      }, silenceMs);
    },
    acknowledged: (units) => {
      if (!isPresent) return false;
      const acknowledged = Math.min(units, outstanding);
      outstanding -= acknowledged;
      stopTimer();
      if (acknowledged > 0) release(acknowledged);
      return true;
    },
    attach: () => {
      isPresent = true;
      releaseAll();
    },
    dispose: stopTimer,
  };
}
