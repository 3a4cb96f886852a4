import type {
  Benchmark,
  CheckedPayload,
  Problem,
  RunConfig,
  Scale,
  SearchChange,
  SearchOptions,
  Study,
  Team,
} from '../../../preload/contract/index';

/** The humblest of the scales of a team's servers names the whole: a replayed sample makes a run "recorded". */
function scaleOf(team: Team): Scale {
  const kinds = new Set(team.servers.map(({ kind }) => kind));
  if (kinds.has('recorded')) return 'recorded';
  return kinds.has('url') || kinds.has('launch') ? 'paper' : 'pocket';
}

type ProblemFacts = Pick<Problem, 'id' | 'date'>;

/**
 * The problems that a study searches, in the benchmark's order: those of contests between `from` and `to` (both
 * inclusive; a problem without a date is in no window), without those that are marked to be left out, then the first
 * so many.
 */
export function chosenProblems(
  order: Pick<CheckedPayload<'study.create'>, 'problems' | 'from' | 'to' | 'includeExcluded'>,
  benchmark: Pick<Benchmark, 'marks'>,
  problems: readonly ProblemFacts[],
): string[] {
  const excluded = new Set(
    order.includeExcluded
      ? []
      : benchmark.marks.filter(({ exclude }) => exclude).map((mark) => mark.problemId),
  );
  const isWithin = ({ date }: ProblemFacts): boolean => {
    if (order.from === undefined && order.to === undefined) return true;
    const day = date?.slice(0, 10);
    return day !== undefined && day >= (order.from ?? '') && (order.to === undefined || day <= order.to);
  };
  return problems
    .filter((problem) => isWithin(problem) && !excluded.has(problem.id))
    .map(({ id }) => id)
    .slice(0, order.problems);
}

/** Every configuration with every seed. */
export function newStudy(
  order: CheckedPayload<'study.create'>,
  context: { studyId: string; createdAt: string; benchmark: Benchmark; problemIds: readonly string[] },
): Study {
  const { studyId: id, createdAt, benchmark, problemIds } = context;
  const runs = order.configurations.flatMap(({ configuration, team, search }, position) =>
    order.seeds.map(
      (seed): RunConfig => ({
        id: `${id}.${position}.${seed}`,
        configuration,
        team,
        benchmarkId: benchmark.id,
        benchmarkDigest: benchmark.digest,
        problemIds: [...problemIds],
        search: searchWith(order.search, search),
        seed,
        scale: scaleOf(team),
      }),
    ),
  );
  const scales = new Set(runs.map((run) => run.scale));
  const scale: Scale = scales.has('recorded') ? 'recorded' : scales.has('paper') ? 'paper' : 'pocket';
  return { id, name: order.name, createdAt, scale, runs };
}

/** What a row says of its own search goes before what the study says. */
function searchWith(search: SearchOptions, own: SearchChange | undefined): SearchOptions {
  const said = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...search, ...Object.fromEntries(said) };
}
