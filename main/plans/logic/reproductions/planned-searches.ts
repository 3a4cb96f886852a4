import type { Missing, ReproductionRequest } from '../../../../preload/contract';
import { type BatchServer, type ModelLoad, planBatchGroups } from './batches';
import type { DemandedPart } from './demand';
import { groupedBy } from './grouped';
import { noBenchmark, serversTooLarge } from './missing';
import type { TrainingGroup } from './models';
import { type ChosenProblems, paperProblems, pocketProblems } from './problems';
import { type PlannedSearch, plannedSearch } from './searches';
import { createServerCatalog, type PlacedServer } from './servers';
import { NO_MACHINE, type PlanContext, type PlannedTraining } from './trainings';

/** Maximum number of pocket servers at once: each is a process besides trainings and sandboxes. */
const MAX_POCKET_SERVERS = 8;

export type PlannedSearches = {
  /** Seed by seed, in the exhibit's order. */
  readonly all: readonly PlannedSearch[];
  /** For the searches that run. */
  readonly batches: readonly (readonly PlannedSearch[])[];
  readonly servers: readonly PlacedServer[];
  readonly modelLoads: readonly ModelLoad[];
  /** By step: missing prerequisites of a search. */
  readonly missing: ReadonlyMap<string, readonly Missing[]>;
  readonly notes: readonly string[];
};

/** All searches that the parts need, one per seed, and their batches. */
export function planSearches(
  parts: readonly DemandedPart[],
  seeds: readonly number[],
  context: PlanContext & {
    readonly trainingOf: (group: TrainingGroup, seed: number) => PlannedTraining;
  },
): PlannedSearches {
  const { exhibit, request, inputs, pools } = context;
  const wanted = parts.filter(({ from }) => from !== 'learning').map(({ configuration }) => configuration);
  const spentBy = new Set(wanted.map(({ tokensOf }) => tokensOf));
  const configurations = exhibit.configurations.filter(
    (configuration) => wanted.includes(configuration) || spentBy.has(configuration.id),
  );
  const search = exhibit.scales[request.scale]?.search;
  if (search === undefined || configurations.length === 0) {
    return { all: [], batches: [], servers: [], modelLoads: [], missing: new Map(), notes: [] };
  }
  const problems = problemsOf(context);
  const servers = createServerCatalog({ ...context, firstSeed: seeds[0] ?? 0 });
  const all = seeds.flatMap((seed) =>
    configurations.map((configuration) =>
      plannedSearch(configuration, seed, {
        exhibit,
        scale: request.scale,
        search,
        problems: problems.chosen,
        servers,
        inputs,
      }),
    ),
  );
  const run = all.filter(({ existing }) => existing === null);
  const roomOf = (machineId: string): number => {
    if (machineId === NO_MACHINE) return Number.POSITIVE_INFINITY;
    if (request.scale === 'pocket') return MAX_POCKET_SERVERS;
    // A saved launch may be on a machine without GPUs.
    return pools.find((pool) => pool.machineId === machineId)?.total ?? Number.POSITIVE_INFINITY;
  };
  const batchSearches = (searches: readonly PlannedSearch[]) =>
    searches.map(({ stepId: id, servers: own }) => ({ id, servers: own.map(batchServer) }));
  // Loading a pocket policy costs nothing, so a whole table of the first seed comes first.
  const groups =
    request.scale === 'pocket' ? seeds.map((seed) => run.filter((search) => search.seed === seed)) : [run];
  const { batches, modelLoads, tooLarge } = planBatchGroups(groups.map(batchSearches), roomOf);
  const byId = new Map(run.map((planned) => [planned.stepId, planned]));
  const serverById = new Map(
    run.flatMap((planned) => planned.servers.map((placed) => [placed.server.id, placed])),
  );
  const missing = run.map(({ stepId, servers: own }): [string, Missing[]] => [
    stepId,
    [
      ...(problems.missing === null ? [] : [problems.missing]),
      ...(tooLarge.includes(stepId) ? tooLargeOn(own, roomOf, context) : []),
    ],
  ]);
  return {
    all,
    batches: batches.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
    servers: [...serverById.values()],
    modelLoads,
    missing: new Map(missing),
    notes: run.length === 0 ? [] : [...problems.chosen.notes, ...fewerProblemsNote(request, problems.whole)],
  };
}

function batchServer({ server, machineId, size }: PlacedServer): BatchServer {
  return { id: server.id, machineId: machineId ?? NO_MACHINE, size };
}

type ProblemChoice = {
  readonly chosen: ChosenProblems;
  readonly missing: Missing | null;
  /** The exhibit's number of problems. */
  readonly whole: number;
};

function problemsOf({ exhibit, request, inputs }: PlanContext): ProblemChoice {
  const { pocket, paper } = exhibit.scales;
  if (request.scale === 'pocket' && pocket !== null) {
    const chosen = pocketProblems(pocket, request.problems, inputs.benchmarks);
    return { chosen, missing: null, whole: pocket.benchmark.problems };
  }
  if (paper === null) throw new RangeError(`${exhibit.id} has no ${request.scale} scale`);
  const problems = paper.benchmark.problems;
  const chosen = paperProblems(paper.benchmark, request.problems, inputs.benchmarks);
  if (chosen !== null) return { chosen, missing: null, whole: problems };
  const none: ChosenProblems = {
    problems: { kind: 'imported', benchmarkId: '', problemIds: [] },
    count: Math.min(request.problems ?? problems, problems),
    existing: null,
    notes: [],
  };
  return { chosen: none, missing: noBenchmark(paper.benchmark), whole: problems };
}

function fewerProblemsNote({ problems }: ReproductionRequest, total: number): string[] {
  if (problems !== undefined && problems > total)
    return [`The exhibit has ${total} problems, not ${problems}: all of them are searched.`];
  return problems === undefined || problems === total
    ? []
    : [
        `Only the first ${problems} of ${total} problems ${problems === 1 ? 'is' : 'are'} searched: values will not be comparable with the paper's.`,
      ];
}

/** One entry per machine that cannot hold its share of a search's servers. */
function tooLargeOn(
  servers: readonly PlacedServer[],
  roomOf: (machineId: string) => number,
  { inputs }: PlanContext,
): Missing[] {
  return [...groupedBy(servers, ({ machineId }) => machineId ?? NO_MACHINE)].flatMap(([machineId, own]) => {
    const needed = own.reduce((sum, { size }) => sum + size, 0);
    const room = roomOf(machineId);
    const name = inputs.machines.find(({ spec }) => spec.id === machineId)?.spec.name ?? machineId;
    return needed > room ? [serversTooLarge(name, needed, room)] : [];
  });
}
