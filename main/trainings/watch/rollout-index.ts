import type { Refusal, Rollout } from '../../../preload/contract';
import { ok, type Result } from '../../base';
import type { Machine } from '../../machines';
import { rolloutLine } from '../logic/watch/pocket-files';

export type RolloutQuery = {
  readonly agentId?: string | undefined;
  readonly upToStep?: number | undefined;
  readonly limit: number;
};

type Place = {
  readonly agentId: string;
  readonly step: number;
  readonly offset: number;
  readonly bytes: number;
};

/** Some megabytes of memory; beyond it every second of the older ones is forgotten. */
const MOST_PLACES = 50_000;

/** Where the rollouts are in the trainer's file: the texts stay there until somebody reads them. */
export class RolloutIndex {
  #places: Place[] = [];

  clear(): void {
    this.#places = [];
  }

  add(place: Place): void {
    this.#places.push(place);
    if (this.#places.length > MOST_PLACES) this.#places = everySecondOfTheOlder(this.#places);
  }

  /** The latest ones that fit, newest first. */
  async read(
    machine: Machine,
    path: string,
    { agentId, upToStep = Number.POSITIVE_INFINITY, limit }: RolloutQuery,
  ): Promise<Result<Rollout[], Refusal>> {
    const fitting = this.#places.filter(
      (place) => place.step <= upToStep && (agentId === undefined || place.agentId === agentId),
    );
    const rollouts: Rollout[] = [];
    for (const { offset, bytes } of fitting.slice(-limit).reverse()) {
      const slice = await machine.readSlice(path, offset, bytes);
      if (!slice.ok) return slice;
      // Cut since: what is there now will be read as new.
      if (slice.value === null) continue;
      const rollout = rolloutLine(Buffer.from(slice.value.bytes).toString('utf8'));
      if (rollout !== null) rollouts.push(rollout);
    }
    return ok(rollouts);
  }
}

/** The newer half stays whole. */
export function everySecondOfTheOlder<T>(items: readonly T[]): T[] {
  const half = Math.floor(items.length / 2);
  return [...items.slice(0, half).filter((_, at) => at % 2 === 0), ...items.slice(half)];
}
