import type { Missing, ReproductionOrder } from '../../../../preload/contract';
import { type BatchServer, type ModelLoad, planBatches } from './batches';
import type { DemandedPart } from './demand';
import { groupedBy } from './grouped';
import { noBenchmark, tooLargeTogether } from './missing';
import type { TrainingGroup } from './models';
import { type ChosenProblems, paperProblems, pocketProblems } from './problems';
import { type PlannedSearch, plannedSearch } from './searches';
import { createServerCatalog, type PlacedServer } from './servers';
import { NO_MACHINE, type PlanContext, type PlannedTraining } from './trainings';

/** Pocket servers that are up together: each is a process of its own beside trainings and sandboxes. */
const MOST_POCKET_SERVERS = 8;

export type PlannedSearches = {
  /** Seed by seed, in the exhibit's order. */
  readonly all: readonly PlannedSearch[];
  /** Of those that are run. */
  readonly waves: readonly (readonly PlannedSearch[])[];
  readonly servers: readonly PlacedServer[];
  readonly stretches: readonly ModelLoad[];
  /** By step: what stands in a search's way. */
  readonly missing: ReadonlyMap<string, readonly Missing[]>;
  readonly notes: readonly string[];
};

/** Every search that the parts need, once a seed, and which of them are run together. */
export function planSearches(
  parts: readonly DemandedPart[],
  seeds: readonly number[],
  around: PlanContext & {
    readonly trainingOf: (group: TrainingGroup, seed: number) => PlannedTraining;
  },
): PlannedSearches {
  const { exhibit, order, world, places } = around;
  const wanted = parts.filter(({ from }) => from !== 'learning').map(({ configuration }) => configuration);
  const configurations = exhibit.configurations.filter((one) => wanted.includes(one));
  const search = exhibit.scales[order.scale]?.search;
  if (search === undefined || configurations.length === 0) {
    return { all: [], waves: [], servers: [], stretches: [], missing: new Map(), notes: [] };
  }
  const problems = problemsOf(around);
  const servers = createServerCatalog({ ...around, firstSeed: seeds[0] ?? 0 });
  const all = seeds.flatMap((seed) =>
    configurations.map((configuration) =>
      plannedSearch(configuration, seed, {
        exhibit,
        scale: order.scale,
        search,
        problems: problems.chosen,
        servers,
        world,
      }),
    ),
  );
  const run = all.filter(({ known }) => known === null);
  const roomOf = (machineId: string): number => {
    if (machineId === NO_MACHINE) return Number.POSITIVE_INFINITY;
    if (order.scale === 'pocket') return MOST_POCKET_SERVERS;
    // A saved launch may be on a machine without GPUs.
    return places.find((place) => place.machineId === machineId)?.total ?? Number.POSITIVE_INFINITY;
  };
  const { waves, stretches, tooLarge } = planBatches(
    run.map((one) => ({ id: one.stepId, servers: one.servers.map(waveServer) })),
    roomOf,
  );
  const byId = new Map(run.map((one) => [one.stepId, one]));
  const placed = new Map(run.flatMap((one) => one.servers.map((server) => [server.server.id, server])));
  const obstacles = run.map(({ stepId, servers: own }): [string, Missing[]] => [
    stepId,
    [
      ...(problems.missing === null ? [] : [problems.missing]),
      ...(tooLarge.includes(stepId) ? crowded(own, roomOf, around) : []),
    ],
  ]);
  return {
    all,
    waves: waves.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
    servers: [...placed.values()],
    stretches,
    missing: new Map(obstacles),
    notes: run.length === 0 ? [] : [...problems.chosen.notes, ...fewerWords(order, problems.whole)],
  };
}

function waveServer({ server, machineId, size }: PlacedServer): BatchServer {
  return { id: server.id, machineId: machineId ?? NO_MACHINE, size };
}

type ProblemChoice = {
  readonly chosen: ChosenProblems;
  readonly missing: Missing | null;
  /** As many as the exhibit has. */
  readonly whole: number;
};

function problemsOf({ exhibit, order, world }: PlanContext): ProblemChoice {
  const { pocket, paper } = exhibit.scales;
  if (order.scale === 'pocket' && pocket !== null) {
    const chosen = pocketProblems(pocket, order.problems, world.benchmarks);
    return { chosen, missing: null, whole: pocket.benchmark.problems };
  }
  if (paper === null) throw new RangeError(`${exhibit.id} has no ${order.scale} scale`);
  const whole = paper.benchmark.problems;
  const chosen = paperProblems(paper.benchmark, order.problems, world.benchmarks);
  if (chosen !== null) return { chosen, missing: null, whole };
  const none: ChosenProblems = {
    problems: { kind: 'imported', benchmarkId: '', problemIds: [] },
    count: Math.min(order.problems ?? whole, whole),
    known: null,
    notes: [],
  };
  return { chosen: none, missing: noBenchmark(paper.benchmark), whole };
}

function fewerWords({ problems }: ReproductionOrder, whole: number): string[] {
  return problems === undefined || problems >= whole
    ? []
    : [
        `Only the first ${problems} of ${whole} problems are searched: values will not be comparable with the paper's.`,
      ];
}

/** For every machine that can not hold its share of a search's servers. */
function crowded(
  servers: readonly PlacedServer[],
  roomOf: (machineId: string) => number,
  { world }: PlanContext,
): Missing[] {
  return [...groupedBy(servers, ({ machineId }) => machineId ?? NO_MACHINE)].flatMap(([machineId, own]) => {
    const needed = own.reduce((sum, { size }) => sum + size, 0);
    const room = roomOf(machineId);
    const name = world.machines.find(({ spec }) => spec.id === machineId)?.spec.name ?? machineId;
    return needed > room ? [tooLargeTogether(name, needed, room)] : [];
  });
}
