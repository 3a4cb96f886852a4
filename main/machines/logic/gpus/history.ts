import type { Gpu, GpuReading } from '../../../../preload/contract';

/** Readings stored per GPU, one for each half minute: an hour where somebody looks, two at a reading a minute. */
export const MAX_READINGS = 120;

type GpuHistory = GpuReading['history'];

/**
 * The history with one more reading, which replaces an earlier one of the same half minute; that of a GPU which is
 * no longer listed is dropped. `at`: ISO date.
 */
export function withReading(history: GpuHistory, at: string, gpus: readonly Gpu[]): GpuHistory {
  return Object.fromEntries(
    gpus.map(({ id, utilisation, memoryUsedMib, memoryTotalMib }) => {
      const memory =
        memoryUsedMib === null || memoryTotalMib === null || memoryTotalMib === 0
          ? null
          : Math.round((1_000 * memoryUsedMib) / memoryTotalMib) / 10;
      const before = (history[id] ?? []).filter((reading) => halfMinute(reading.at) !== halfMinute(at));
      return [id, [...before, { at, utilisation, memory }].slice(-MAX_READINGS)];
    }),
  );
}

function halfMinute(isoDate: string): string {
  return `${isoDate.slice(0, 16)} ${isoDate.slice(17, 19) < '30' ? 0 : 1}`;
}

/** A card as it was last seen. */
export type KnownCard = {
  readonly id: string;
  readonly index: number | null;
  readonly name: string;
  readonly at: string;
};

/** The cards seen so far, with the time of the last reading. MIG slices come and go, so only cards are listed. */
export function knownCards(
  before: readonly KnownCard[],
  at: string,
  gpus: readonly Gpu[],
): readonly KnownCard[] {
  const now = gpus.flatMap(({ id, index, name, sliceOf }) =>
    sliceOf === null ? [{ id, index, name, at }] : [],
  );
  return [...now, ...before.filter(({ id }) => now.every((card) => card.id !== id))];
}

/** Sentences about cards that an earlier reading listed and this one does not. */
export function vanishedCards(knownCards: readonly KnownCard[], gpus: readonly Gpu[]): readonly string[] {
  return knownCards
    .filter(({ id }) => gpus.every((gpu) => gpu.id !== id))
    .map(
      ({ index, name, id, at }) =>
        `GPU ${index ?? '?'} (${name}, ${id}) was last listed at ${at}: the driver no longer sees it.`,
    );
}
