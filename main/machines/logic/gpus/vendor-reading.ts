import type { Gpu } from '../../../../preload/contract';
import type { ListedProcess } from './process-table';

/** The answer of one vendor's tool; null in its place: the machine has no such tool. */
export type VendorReading = {
  readonly driver: string | null;
  readonly gpus: readonly Gpu[];
  /** Sentences about what could not be read. */
  readonly problems: readonly string[];
};

/** Additional input of both vendors' readings. */
export type ReadingContext = {
  readonly processes: ReadonlyMap<number, ListedProcess>;
  /** ISO date of a moment so many seconds before the probe. */
  readonly ago: (seconds: number) => string;
};

/**
 * A process that computes on a GPU; `name` is what the driver calls it, for one that `ps` cannot see (a container's).
 */
export function gpuProcess(
  pid: number,
  memoryMib: number | null,
  name: string | null,
  { processes, ago }: ReadingContext,
): Gpu['processes'][number] {
  const listed = processes.get(pid);
  return {
    pid,
    user: listed?.user ?? null,
    command: listed?.command ?? name,
    memoryMib,
    startedAt: listed === undefined ? null : ago(listed.ageSeconds),
  };
}

/** A serial number, UUID or address on the bus; it goes into reservations and into the environment of jobs. */
const GPU_ID = /^\w[\w:./-]{0,199}$/;

/** null for what is no such name. */
export function gpuIdOf(text: string | null): string | null {
  return text !== null && GPU_ID.test(text) ? text : null;
}

/** A share in percent that a tool reported; null where it is none. */
export function percent(value: number | null): number | null {
  return value === null ? null : Math.min(100, Math.max(0, value));
}

/** null instead of a negative number, which some drivers report for "unknown". */
export function notNegative(value: number | null): number | null {
  return value === null || value < 0 ? null : value;
}

/** null for anything but a whole number from 0. */
export function wholeNumber(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
