/** A server as the batches see it. */
export type BatchServer = {
  readonly id: string;
  readonly machineId: string;
  /** Places that it takes there: GPUs, or 1 where servers are counted. */
  readonly size: number;
};

/** A search and the servers that it needs at once. */
export type BatchSearch = { readonly id: string; readonly servers: readonly BatchServer[] };

/** Servers that are up from the first to the last of these batches, both inclusive: one load of the model. */
export type ModelLoad = { readonly serverId: string; readonly from: number; readonly to: number };

export type Batches = {
  /** Ids of searches by batch. Only searches that fit by themselves are in one. */
  readonly batches: readonly (readonly string[])[];
  /** In the order of batches. As many as model loads. */
  readonly modelLoads: readonly ModelLoad[];
  /** Searches whose servers do not fit together on their machines. */
  readonly tooLarge: readonly string[];
};

/**
 * Which searches have their servers up together, so that few models are loaded. Greedy: a batch begins with the search
 * that needs the fewest loads beside what is up, and takes in others, again those with the fewest loads first, as long
 * as all of them fit. What stands idle between two batches stays up where there is room. Equal choices fall to the
 * earlier search, so the same input gives the same batches.
 */
export function planBatches(
  searches: readonly BatchSearch[],
  /** Places of a machine. */
  roomOf: (machineId: string) => number,
): Batches {
  /** Beside what is up. */
  const fitsWith = (up: ReadonlyMap<string, BatchServer>, servers: readonly BatchServer[]): boolean => {
    const added = servers.filter(({ id }) => !up.has(id));
    return added.every(({ machineId }) => {
      const room = roomOf(machineId) - sizeOn(machineId, added);
      return sizeOn(machineId, up.values()) <= room;
    });
  };
  const tooLarge = searches.filter(({ servers }) => !fitsWith(new Map(), servers));
  const left = searches.filter((search) => !tooLarge.includes(search));
  const batches: { readonly searches: BatchSearch[]; readonly up: Map<string, BatchServer> }[] = [];
  let up = new Map<string, BatchServer>();
  while (left.length > 0) {
    const batch = { searches: [] as BatchSearch[], up: new Map<string, BatchServer>() };
    for (;;) {
      const next = cheapest(
        left,
        (search) => search.servers.filter(({ id }) => !batch.up.has(id) && !up.has(id)).length,
        (search) => fitsWith(batch.up, search.servers),
      );
      if (next === null) break;
      left.splice(left.indexOf(next), 1);
      batch.searches.push(next);
      batch.up = union(batch.up, next.servers);
    }
    batches.push(batch);
    up = batch.up;
  }
  keepIdleOnes(batches, fitsWith);
  return {
    batches: batches.map((batch) => batch.searches.map(({ id }) => id)),
    modelLoads: modelLoadsOf(batches.map((batch) => batch.up)),
    tooLarge: tooLarge.map(({ id }) => id),
  };
}

function sizeOn(machineId: string, servers: Iterable<BatchServer>): number {
  let sum = 0;
  for (const server of servers) if (server.machineId === machineId) sum += server.size;
  return sum;
}

function union(
  up: ReadonlyMap<string, BatchServer>,
  servers: readonly BatchServer[],
): Map<string, BatchServer> {
  return new Map([...up, ...servers.map((server) => [server.id, server] as const)]);
}

/** Of those that fit, the first of the least cost. `fits` is slow, so it is called only for what would be chosen. */
function cheapest<T>(items: readonly T[], costOf: (item: T) => number, fits: (item: T) => boolean): T | null {
  let best: { readonly item: T; readonly cost: number } | null = null;
  for (const item of items) {
    const cost = costOf(item);
    if ((best === null || cost < best.cost) && fits(item)) best = { item, cost };
    if (best?.cost === 0) break;
  }
  return best?.item ?? null;
}

/** Of servers that are needed again, those whose next use is nearest stay up through the batches between. */
function keepIdleOnes(
  batches: readonly { readonly up: Map<string, BatchServer> }[],
  fitsWith: (up: ReadonlyMap<string, BatchServer>, servers: readonly BatchServer[]) => boolean,
): void {
  const gaps: { readonly server: BatchServer; readonly from: number; readonly to: number }[] = [];
  const lastUse = new Map<string, number>();
  batches.forEach(({ up }, at) => {
    for (const server of up.values()) {
      const last = lastUse.get(server.id);
      if (last !== undefined && last < at - 1) gaps.push({ server, from: last + 1, to: at - 1 });
      lastUse.set(server.id, at);
    }
  });
  for (const { server, from, to } of gaps.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const between = batches.slice(from, to + 1);
    if (!between.every(({ up }) => fitsWith(up, [server]))) continue;
    for (const { up } of between) up.set(server.id, server);
  }
}

function modelLoadsOf(batches: readonly ReadonlyMap<string, BatchServer>[]): ModelLoad[] {
  const modelLoads: ModelLoad[] = [];
  batches.forEach((up, at) => {
    for (const serverId of up.keys()) {
      const current = modelLoads.findIndex((load) => load.serverId === serverId && load.to === at - 1);
      if (current === -1) modelLoads.push({ serverId, from: at, to: at });
      else modelLoads[current] = { serverId, from: modelLoads[current]?.from ?? at, to: at };
    }
  });
  return modelLoads;
}
