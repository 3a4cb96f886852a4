import {
  type Benchmark,
  type CheckedPayload,
  candidateCount,
  heterogeneousTeam,
  homogeneousTeam,
  PLAIN_SEARCH,
  pocketServer,
  type QuickstartPlan,
  type RunConfig,
  type SearchOptions,
  type Study,
  singleTeam,
  type Team,
} from '../../../preload/contract/index';

/** The quickstart: small enough for a laptop's two cores within three minutes, large enough to say something. */
export const QUICKSTART = {
  problems: 60,
  nodes: 24,
  /** Independent first attempts per problem and agent: for Pass@1 and Pass@10. */
  samplesPerAgent: 10,
  /** One trial at a time in a tree: the sequential search, resumable to the byte. Trees run side by side. */
  batch: 1,
  benchmarkSeed: 1,
  checkpointSeed: 1,
} as const;

type QuickstartOptions = CheckedPayload<'quickstart.start'>;

function teams(latencyMs: number, machineId?: string): ReadonlyArray<{ configuration: string; team: Team }> {
  const server = {
    checkpointSeed: QUICKSTART.checkpointSeed,
    latencyMs,
    ...(machineId === undefined ? {} : { machineId }),
  };
  const reader = pocketServer('reader', server);
  const tracer = pocketServer('tracer', server);
  return [
    { configuration: 'single', team: singleTeam(reader) },
    // Each member alone: a team is compared with its best one.
    { configuration: 'single-tracer', team: singleTeam(tracer) },
    { configuration: 'homogeneous', team: homogeneousTeam(reader) },
    { configuration: 'heterogeneous', team: heterogeneousTeam([reader, tracer]) },
  ];
}

/** AB-MCTS-A with Beta posteriors, as in both papers, guided by the share of tests passed. */
function quickstartSearch(options: QuickstartOptions): SearchOptions {
  return {
    ...PLAIN_SEARCH,
    strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
    nodes: options.nodes ?? QUICKSTART.nodes,
    batch: options.batch ?? QUICKSTART.batch,
    score: 'fraction',
    tie: 'latest',
    samplesPerAgent: QUICKSTART.samplesPerAgent,
  };
}

/** The quickstart's whole plan, decided before anything runs. */
export function quickstartStudy(
  options: QuickstartOptions,
  context: { studyId: string; createdAt: string; benchmark: Benchmark; problemIds: readonly string[] },
): Study {
  const search = quickstartSearch(options);
  const problemIds = context.problemIds.slice(0, options.problems ?? QUICKSTART.problems);
  const runs = teams(options.latencyMs ?? 0, options.machineId).map(
    ({ configuration, team }): RunConfig => ({
      id: `${context.studyId}.${configuration}.${options.seed}`,
      configuration,
      team,
      benchmarkId: context.benchmark.id,
      benchmarkDigest: context.benchmark.digest,
      problemIds,
      search,
      seed: options.seed,
      scale: 'pocket',
    }),
  );
  return { id: context.studyId, name: 'Quickstart', createdAt: context.createdAt, scale: 'pocket', runs };
}

/**
 * The quickstart as the first screen shows it. `candidatesPerSecond`: measured on this computer, or a conservative
 * guess.
 */
export function quickstartPlan(context: {
  candidatesPerSecond: number;
  dataDir: string;
  sandboxProblem: string | null;
}): QuickstartPlan {
  const search = quickstartSearch({ seed: 1 });
  const problems = QUICKSTART.problems;
  const configurations = teams(0);
  const candidates = configurations.reduce(
    (sum, { team }) => sum + candidateCount({ team, search, problemIds: { length: problems } }),
    0,
  );
  return {
    configurations: configurations.map(({ configuration, team }) => ({
      configuration,
      team: team.kind,
      agents: team.agents.map((agent) => agent.name),
    })),
    problems,
    nodesPerTree: search.nodes,
    samplesPerAgent: search.samplesPerAgent,
    candidates,
    estimatedSeconds: Math.ceil(candidates / context.candidatesPerSecond) + 10,
    dataDir: context.dataDir,
    sandboxProblem: context.sandboxProblem,
  };
}
