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

/** The weakest scale of a team's servers is the team's: one replayed server makes a run "recorded". */
function scaleOf(team: Team): Scale {
  const kinds = new Set(team.servers.map(({ kind }) => kind));
  if (kinds.has('recorded')) return 'recorded';
  return kinds.has('url') || kinds.has('launch') ? 'paper' : 'pocket';
}

type ProblemFacts = Pick<Problem, 'id' | 'date'>;

/**
 * The problems that a study searches, in the benchmark's order: contests between `from` and `to` (inclusive; problems without
 * a date are in no window), without the excluded ones, and then the first `problems` of them.
 */
export function chosenProblems(
  request: Pick<CheckedPayload<'study.create'>, 'problems' | 'from' | 'to' | 'includeExcluded'>,
  benchmark: Pick<Benchmark, 'marks'>,
  problems: readonly ProblemFacts[],
): string[] {
  const excluded = new Set(
    request.includeExcluded
      ? []
      : benchmark.marks.filter(({ exclude }) => exclude).map((mark) => mark.problemId),
  );
  const isWithin = ({ date }: ProblemFacts): boolean => {
    if (request.from === undefined && request.to === undefined) return true;
    const day = date?.slice(0, 10);
    return (
      day !== undefined && day >= (request.from ?? '') && (request.to === undefined || day <= request.to)
    );
  };
  return problems
    .filter((problem) => isWithin(problem) && !excluded.has(problem.id))
    .map(({ id }) => id)
    .slice(0, request.problems);
}

/** Every configuration with every seed. */
export function newStudy(
  request: CheckedPayload<'study.create'>,
  context: { studyId: string; createdAt: string; benchmark: Benchmark; problemIds: readonly string[] },
): Study {
  const { studyId: id, createdAt, benchmark, problemIds } = context;
  const runs = request.configurations.flatMap(({ configuration, team, search }, position) =>
    request.seeds.map(
      (seed): RunConfig => ({
        id: `${id}.${position}.${seed}`,
        configuration,
        team,
        benchmarkId: benchmark.id,
        benchmarkDigest: benchmark.digest,
        problemIds: [...problemIds],
        search: searchWith(request.search, search),
        seed,
        scale: scaleOf(team),
      }),
    ),
  );
  const scales = new Set(runs.map((run) => run.scale));
  const scale: Scale = scales.has('recorded') ? 'recorded' : scales.has('paper') ? 'paper' : 'pocket';
  return { id, name: request.name, createdAt, scale, runs };
}

/** A row's own search settings override the study's. */
function searchWith(search: SearchOptions, own: SearchChange | undefined): SearchOptions {
  const overrides = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...search, ...Object.fromEntries(overrides) };
}
