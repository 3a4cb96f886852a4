/** Beyond this the source waits for the reader (see the machines' flow control), so the reader owes an answer. */
const OWED_UNITS = 128_000;

/** A window that draws answers within milliseconds; one that has not for so long is gone, hung or asleep. */
const SILENCE_MS = 15_000;

export type Reader = {
  /** So much was told. False: nobody reads, so it need not be. */
  readonly isPresent: () => boolean;
  readonly sent: (units: number) => void;
  /** False: the reader had been given up, and has to attach again. */
  readonly acknowledged: (units: number) => boolean;
  /** A reader (again): what the one before it has not drawn is nobody's. */
  readonly attach: () => void;
  readonly dispose: () => void;
};

/**
 * Whether somebody draws what a terminal writes. A program waits for a slow reader, but never for one that is gone:
 * `release` gets the units that nobody will acknowledge any more.
 */
export function createReader(release: (units: number) => void, silenceMs = SILENCE_MS): Reader {
  let isThere = false;
  let outstanding = 0;
  let timer: NodeJS.Timeout | null = null;
  const calm = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const releaseAll = (): void => {
    calm();
    const units = outstanding;
    outstanding = 0;
    if (units > 0) release(units);
  };
  return {
    isPresent: () => isThere,
    sent: (units) => {
      if (!isThere) {
        release(units);
        return;
      }
      outstanding += units;
      if (outstanding <= OWED_UNITS || timer !== null) return;
      timer = setTimeout(() => {
        isThere = false;
        releaseAll();
      }, silenceMs);
    },
    acknowledged: (units) => {
      if (!isThere) return false;
      const known = Math.min(units, outstanding);
      outstanding -= known;
      calm();
      if (known > 0) release(known);
      return true;
    },
    attach: () => {
      isThere = true;
      releaseAll();
    },
    dispose: calm,
  };
}
