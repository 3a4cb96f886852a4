import type { Refusal, Rollout } from '../../../preload/contract';
import { ok, type Result } from '../../base';
import type { Machine } from '../../machines';
import { rolloutLine } from '../logic/watch/pocket-files';

export type RolloutQuery = {
  readonly agentId?: string | undefined;
  readonly upToStep?: number | undefined;
  readonly limit: number;
};

type RolloutLocation = {
  readonly agentId: string;
  readonly step: number;
  readonly offset: number;
  readonly bytes: number;
};

/** Some megabytes of memory; above that, every second of the older locations is dropped. */
const MAX_LOCATIONS = 50_000;

/** Offsets of the rollouts in the trainer's file; their texts are read only on request. */
export class RolloutIndex {
  #locations: RolloutLocation[] = [];

  clear(): void {
    this.#locations = [];
  }

  add(location: RolloutLocation): void {
    this.#locations.push(location);
    if (this.#locations.length > MAX_LOCATIONS) this.#locations = thinOlderHalf(this.#locations);
  }

  /** The latest that match the query, newest first. */
  async read(
    machine: Machine,
    path: string,
    { agentId, upToStep = Number.POSITIVE_INFINITY, limit }: RolloutQuery,
  ): Promise<Result<Rollout[], Refusal>> {
    const matching = this.#locations.filter(
      (location) => location.step <= upToStep && (agentId === undefined || location.agentId === agentId),
    );
    const rollouts: Rollout[] = [];
    for (const { offset, bytes } of matching.slice(-limit).reverse()) {
      const slice = await machine.readSlice(path, offset, bytes);
      if (!slice.ok) return slice;
      // Truncated since: its new content will be indexed again.
      if (slice.value === null) continue;
      const rollout = rolloutLine(Buffer.from(slice.value.bytes).toString('utf8'));
      if (rollout !== null) rollouts.push(rollout);
    }
    return ok(rollouts);
  }
}

/** Drops every second item of the older half. */
export function thinOlderHalf<T>(items: readonly T[]): T[] {
  const half = Math.floor(items.length / 2);
  return [...items.slice(0, half).filter((_, at) => at % 2 === 0), ...items.slice(half)];
}
