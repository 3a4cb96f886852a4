/** A server, as needed for making batches. */
export type BatchServer = {
  readonly id: string;
  readonly machineId: string;
  /** Capacity that it takes there: GPUs, or 1 if the machine limits the number of servers. */
  readonly size: number;
};

/** A search and the servers that it needs at the same time. */
export type BatchSearch = { readonly id: string; readonly servers: readonly BatchServer[] };

/** One load of a model: the server runs from the first to the last of these batches, both inclusive. */
export type ModelLoad = { readonly serverId: string; readonly from: number; readonly to: number };

export type Batches = {
  /** Ids of searches by batch. Searches that do not fit even alone are in no batch. */
  readonly batches: readonly (readonly string[])[];
  /** One entry per model load, in the order of batches. */
  readonly modelLoads: readonly ModelLoad[];
  /** Searches whose servers do not fit together on their machines. */
  readonly tooLarge: readonly string[];
};

/**
 * Groups searches into batches with few model loads. The servers of a batch run at the same time. Greedy: a batch
 * begins with the search that needs the fewest loads besides the running servers, and takes in further ones, fewest
 * loads first, as long as all fit. A server that is idle in a batch and needed later keeps running if there is room.
 * Ties go to the earlier search, so the same input gives the same batches.
 */
export function planBatches(
  searches: readonly BatchSearch[],
  /** Capacity of a machine. */
  roomOf: (machineId: string) => number,
): Batches {
  /** Capacity left beside the running servers. */
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
  keepIdleServers(batches, fitsWith);
  return {
    batches: batches.map((batch) => batch.searches.map(({ id }) => id)),
    modelLoads: modelLoadsOf(batches.map((batch) => batch.up)),
    tooLarge: tooLarge.map(({ id }) => id),
  };
}

/** The same for groups of searches of which each is finished before the next: all batches of the first, then of the second. */
export function planBatchGroups(
  groups: readonly (readonly BatchSearch[])[],
  roomOf: (machineId: string) => number,
): Batches {
  const all = { batches: [] as string[][], modelLoads: [] as ModelLoad[], tooLarge: [] as string[] };
  for (const group of groups) {
    const { batches, modelLoads, tooLarge } = planBatches(group, roomOf);
    const before = all.batches.length;
    all.batches.push(...batches.map((ids) => [...ids]));
    all.modelLoads.push(
      ...modelLoads.map(({ serverId, from, to }) => ({ serverId, from: from + before, to: to + before })),
    );
    all.tooLarge.push(...tooLarge);
  }
  return all;
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

/** The first of those with the least cost that fit. `fits` is slow, so only candidates for the choice are tested. */
function cheapest<T>(items: readonly T[], costOf: (item: T) => number, fits: (item: T) => boolean): T | null {
  let best: { readonly item: T; readonly cost: number } | null = null;
  for (const item of items) {
    const cost = costOf(item);
    if ((best === null || cost < best.cost) && fits(item)) best = { item, cost };
    if (best?.cost === 0) break;
  }
  return best?.item ?? null;
}

/** Among servers that are needed again, those with the nearest next use keep running in the batches between. */
function keepIdleServers(
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
