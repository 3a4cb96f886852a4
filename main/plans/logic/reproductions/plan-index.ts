import type { ExhibitConfiguration } from '../../../../preload/contract';
import type { ModelLoad } from './batches';
import { groupedBy } from './grouped';
import type { PlannedSearches } from './planned-searches';
import type { PlannedSearch } from './searches';
import type { PlacedServer } from './servers';
import type { PlannedTraining } from './trainings';

/** Who needs what in a plan, looked up once: plans have thousands of steps. */
export type PlanIndex = {
  readonly searchesOf: (configuration: ExhibitConfiguration) => readonly PlannedSearch[];
  /** By wave and seed. */
  readonly trainedFor: (training: PlannedTraining) => readonly PlannedSearch[];
  /** Searches that are run while these servers are up, of those that need it. */
  readonly servedBy: (stretch: ModelLoad) => readonly PlannedSearch[];
  readonly server: (id: string) => PlacedServer;
  /** The wave of a search; null: it is not run. */
  readonly waveOf: (search: PlannedSearch) => number | null;
  /** The step that loads a server so that it is up in this wave. */
  readonly serveStepOf: (serverId: string, wave: number) => string;
};

export function planIndex(searched: PlannedSearches): PlanIndex {
  const byConfiguration = groupedBy(searched.all, ({ configuration }) => configuration);
  const byTraining = pairsBy(searched.all, ({ servers }) =>
    servers.flatMap(({ training }) => training ?? []),
  );
  const byServer = pairsBy(searched.waves.flat(), ({ servers }) => servers.map(({ server }) => server.id));
  const servers = new Map(searched.servers.map((one) => [one.server.id, one]));
  const loads = groupedBy(searched.stretches, ({ serverId }) => serverId);
  const waves = new Map(
    searched.waves.flatMap((searches, wave) => searches.map((search) => [search, wave] as const)),
  );
  const waveOf: PlanIndex['waveOf'] = (search) => waves.get(search) ?? null;
  return {
    searchesOf: (configuration) => byConfiguration.get(configuration) ?? [],
    trainedFor: (training) => byTraining.get(training) ?? [],
    servedBy: ({ serverId, from, to }) =>
      (byServer.get(serverId) ?? []).filter((search) => {
        const wave = waveOf(search);
        return wave !== null && from <= wave && wave <= to;
      }),
    server: (id) => {
      const found = servers.get(id);
      if (found === undefined) throw new RangeError(`There is no server ${id}`);
      return found;
    },
    waveOf,
    serveStepOf: (serverId, wave) => {
      const at = (loads.get(serverId) ?? []).findIndex(({ from, to }) => from <= wave && wave <= to);
      // Unique among the loads of one server: the first has no number.
      return at <= 0 ? `serve:${serverId}` : `serve:${serverId}:${at + 1}`;
    },
  };
}

/** Searches by each of their keys. */
function pairsBy<Key>(
  searches: readonly PlannedSearch[],
  keysOf: (search: PlannedSearch) => readonly Key[],
): ReadonlyMap<Key, readonly PlannedSearch[]> {
  const pairs = searches.flatMap((search) => [...new Set(keysOf(search))].map((key) => ({ key, search })));
  const groups = groupedBy(pairs, ({ key }) => key);
  return new Map([...groups].map(([key, all]) => [key, all.map(({ search }) => search)]));
}
