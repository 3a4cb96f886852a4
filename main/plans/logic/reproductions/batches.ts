/** A server as the order of work sees it. */
export type BatchServer = {
  readonly id: string;
  readonly machineId: string;
  /** Places that it takes there: GPUs, or 1 where servers are counted. */
  readonly size: number;
};

/** A search and the servers that it needs at once. */
export type BatchSearch = { readonly id: string; readonly servers: readonly BatchServer[] };

/** Servers that are up from the first to the last of these waves, both inclusive: one load of the model. */
export type ModelLoad = { readonly serverId: string; readonly from: number; readonly to: number };

export type Batches = {
  /** Ids of searches by wave. Only searches that fit by themselves are in one. */
  readonly waves: readonly (readonly string[])[];
  /** In the order of waves. As many as model loads. */
  readonly stretches: readonly ModelLoad[];
  /** Searches whose servers do not fit together on their machines. */
  readonly tooLarge: readonly string[];
};

/**
 * Which searches have their servers up together, so that few models are loaded. Greedy: a wave begins with the search
 * that needs the fewest loads beside what is up, and takes in others, again those with the fewest loads first, as long
 * as all of them fit. What stands idle between two waves stays up where there is room. Equal choices fall to the
 * earlier search, so the same input gives the same waves.
 */
export function planBatches(
  searches: readonly BatchSearch[],
  /** Places of a machine. */
  roomOf: (machineId: string) => number,
): Batches {
  /** Beside what is up. */
  const fitsBeside = (up: ReadonlyMap<string, BatchServer>, servers: readonly BatchServer[]): boolean => {
    const added = servers.filter(({ id }) => !up.has(id));
    return added.every(({ machineId }) => {
      const room = roomOf(machineId) - sizeOn(machineId, added);
      return sizeOn(machineId, up.values()) <= room;
    });
  };
  const tooLarge = searches.filter(({ servers }) => !fitsBeside(new Map(), servers));
  const left = searches.filter((search) => !tooLarge.includes(search));
  const waves: { readonly searches: BatchSearch[]; readonly up: Map<string, BatchServer> }[] = [];
  let up = new Map<string, BatchServer>();
  while (left.length > 0) {
    const wave = { searches: [] as BatchSearch[], up: new Map<string, BatchServer>() };
    for (;;) {
      const next = cheapest(
        left,
        (search) => search.servers.filter(({ id }) => !wave.up.has(id) && !up.has(id)).length,
        (search) => fitsBeside(wave.up, search.servers),
      );
      if (next === null) break;
      left.splice(left.indexOf(next), 1);
      wave.searches.push(next);
      wave.up = union(wave.up, next.servers);
    }
    waves.push(wave);
    up = wave.up;
  }
  keepIdleOnes(waves, fitsBeside);
  return {
    waves: waves.map((wave) => wave.searches.map(({ id }) => id)),
    stretches: stretchesOf(waves.map((wave) => wave.up)),
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

/** Of those that fit, the first of the least cost. To fit is asked only of what would be chosen: it takes longer. */
function cheapest<T>(items: readonly T[], costOf: (item: T) => number, fits: (item: T) => boolean): T | null {
  let best: { readonly item: T; readonly cost: number } | null = null;
  for (const item of items) {
    const cost = costOf(item);
    if ((best === null || cost < best.cost) && fits(item)) best = { item, cost };
    if (best?.cost === 0) break;
  }
  return best?.item ?? null;
}

/** Of servers that are needed again, those whose next use is nearest stay up through the waves between. */
function keepIdleOnes(
  waves: readonly { readonly up: Map<string, BatchServer> }[],
  fitsBeside: (up: ReadonlyMap<string, BatchServer>, servers: readonly BatchServer[]) => boolean,
): void {
  const gaps: { readonly server: BatchServer; readonly from: number; readonly to: number }[] = [];
  const lastUse = new Map<string, number>();
  waves.forEach(({ up }, at) => {
    for (const server of up.values()) {
      const last = lastUse.get(server.id);
      if (last !== undefined && last < at - 1) gaps.push({ server, from: last + 1, to: at - 1 });
      lastUse.set(server.id, at);
    }
  });
  for (const { server, from, to } of gaps.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const between = waves.slice(from, to + 1);
    if (!between.every(({ up }) => fitsBeside(up, [server]))) continue;
    for (const { up } of between) up.set(server.id, server);
  }
}

function stretchesOf(waves: readonly ReadonlyMap<string, BatchServer>[]): ModelLoad[] {
  const stretches: ModelLoad[] = [];
  waves.forEach((up, at) => {
    for (const serverId of up.keys()) {
      const begun = stretches.findIndex((one) => one.serverId === serverId && one.to === at - 1);
      if (begun === -1) stretches.push({ serverId, from: at, to: at });
      else stretches[begun] = { serverId, from: stretches[begun]?.from ?? at, to: at };
    }
  });
  return stretches;
}
