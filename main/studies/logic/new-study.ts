import type {
  Benchmark,
  CheckedPayload,
  RunConfig,
  Scale,
  Study,
  Team,
} from '../../../preload/contract/index';

/** The humblest of the scales of a team's servers names the whole: a replayed sample makes a run "recorded". */
function scaleOf(team: Team): Scale {
  const kinds = new Set(team.servers.map(({ kind }) => kind));
  if (kinds.has('recorded')) return 'recorded';
  return kinds.has('url') ? 'paper' : 'pocket';
}

/** Every configuration with every seed, over the first problems of the benchmark. */
export function newStudy(
  order: CheckedPayload<'study.create'>,
  context: { studyId: string; createdAt: string; benchmark: Benchmark; problemIds: readonly string[] },
): Study {
  const { studyId: id, createdAt, benchmark } = context;
  const problemIds = context.problemIds.slice(0, order.problems);
  const runs = order.configurations.flatMap(({ configuration, team }, position) =>
    order.seeds.map(
      (seed): RunConfig => ({
        id: `${id}.${position}.${seed}`,
        configuration,
        team,
        benchmarkId: benchmark.id,
        benchmarkDigest: benchmark.digest,
        problemIds,
        search: order.search,
        seed,
        scale: scaleOf(team),
      }),
    ),
  );
  const scales = new Set(runs.map((run) => run.scale));
  const scale: Scale = scales.has('recorded') ? 'recorded' : scales.has('paper') ? 'paper' : 'pocket';
  return { id, name: order.name, createdAt, scale, runs };
}
