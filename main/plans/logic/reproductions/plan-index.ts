import type { ExhibitConfiguration } from '../../../../preload/contract';
import type { ModelLoad } from './batches';
import { groupedBy } from './grouped';
import type { PlannedSearches } from './planned-searches';
import type { PlannedSearch } from './searches';
import type { PlacedServer } from './servers';
import type { PlannedTraining } from './trainings';

/** Indexes of a plan's dependencies, built once: plans have thousands of steps. */
export type PlanIndex = {
  readonly searchesOf: (configuration: ExhibitConfiguration) => readonly PlannedSearch[];
  /** By batch and seed. */
  readonly trainedFor: (training: PlannedTraining) => readonly PlannedSearch[];
  /** Searches that need it and run while these servers are up. */
  readonly servedBy: (load: ModelLoad) => readonly PlannedSearch[];
  readonly server: (id: string) => PlacedServer;
  /** The batch of a search; null: the search does not run. */
  readonly batchOf: (search: PlannedSearch) => number | null;
  /** The step that loads a server for this batch. */
  readonly serveStepOf: (serverId: string, batch: number) => string;
};

export function planIndex(searched: PlannedSearches): PlanIndex {
  const byConfiguration = groupedBy(searched.all, ({ configuration }) => configuration);
  const byTraining = pairsBy(searched.all, ({ servers }) =>
    servers.flatMap(({ training }) => training ?? []),
  );
  const byServer = pairsBy(searched.batches.flat(), ({ servers }) => servers.map(({ server }) => server.id));
  const servers = new Map(searched.servers.map((placed) => [placed.server.id, placed]));
  const loads = groupedBy(searched.modelLoads, ({ serverId }) => serverId);
  const batches = new Map(
    searched.batches.flatMap((searches, batch) => searches.map((search) => [search, batch] as const)),
  );
  const batchOf: PlanIndex['batchOf'] = (search) => batches.get(search) ?? null;
  return {
    searchesOf: (configuration) => byConfiguration.get(configuration) ?? [],
    trainedFor: (training) => byTraining.get(training) ?? [],
    servedBy: ({ serverId, from, to }) =>
      (byServer.get(serverId) ?? []).filter((search) => {
        const batch = batchOf(search);
        return batch !== null && from <= batch && batch <= to;
      }),
    server: (id) => {
      const server = servers.get(id);
      if (server === undefined) throw new RangeError(`There is no server ${id}`);
      return server;
    },
    batchOf,
    serveStepOf: (serverId, batch) => {
      const at = (loads.get(serverId) ?? []).findIndex(({ from, to }) => from <= batch && batch <= to);
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
