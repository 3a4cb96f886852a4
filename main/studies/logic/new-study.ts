import {
  type Benchmark,
  type CheckedPayload,
  modelScale,
  type RunConfig,
  type Scale,
  type ServerSpec,
  type Study,
  searchWith,
  type Team,
} from '../../../preload/contract/index';
import { assertNever } from '../../base/index';

/** `createdAt`: ISO time. `word`: an id that no other study's is made of. */
export function studyIdOf(createdAt: string, word: string): string {
  return `${createdAt.slice(0, 10)}-${word.slice(0, 8)}`;
}

/** Of a saved launch, by its id. */
type LaunchScale = (launchId: string) => Scale;

/** What decides of the scale of a run beside its team. */
export type ScaleContext = {
  readonly launchScale: LaunchScale;
  /** Are these all the problems of a paper that an exhibit names, and no others? */
  readonly arePapers: (problemIds: readonly string[]) => boolean;
};

/** The first of them that a team has among its servers is the team's; a study's is that of its runs. */
const DECIDING: readonly Scale[] = ['recorded', 'own', 'desk', 'paper', 'pocket'];

/** A paper's model on other problems than the papers' says nothing about their numbers. */
export function scaleOf(
  { servers }: Team,
  problemIds: readonly string[],
  { launchScale, arePapers }: ScaleContext,
): Scale {
  const scale = decidingScale(servers.map((server) => serverScale(server, launchScale)));
  return scale === 'paper' && !arePapers(problemIds) ? 'own' : scale;
}

function serverScale(server: ServerSpec, launchScale: LaunchScale): Scale {
  switch (server.kind) {
    case 'pocket':
    case 'recorded':
      return server.kind;
    case 'url':
      // Who serves it there is not known: its name has to do.
      return modelScale(server.model);
    case 'launch':
      return launchScale(server.launchId);
    default:
      return assertNever(server);
  }
}

export function decidingScale(scales: readonly Scale[]): Scale {
  return DECIDING.find((scale) => scales.includes(scale)) ?? 'pocket';
}

/** Every configuration with every seed, or with its own. */
export function newStudy(
  request: CheckedPayload<'study.create'>,
  context: ScaleContext & {
    readonly studyId: string;
    readonly createdAt: string;
    readonly benchmark: Benchmark;
    readonly problemIds: readonly string[];
  },
): Study {
  const { studyId: id, createdAt, benchmark, problemIds } = context;
  const runs = request.configurations.flatMap(
    ({ configuration, team, search, seeds = request.seeds }, position) =>
      seeds.map(
        (seed): RunConfig => ({
          id: `${id}.${position}.${seed}`,
          configuration,
          team,
          benchmarkId: benchmark.id,
          benchmarkDigest: benchmark.digest,
          problemIds: [...problemIds],
          search: searchWith(request.search, search),
          seed,
          scale: scaleOf(team, problemIds, context),
        }),
      ),
  );
  const scale = decidingScale(runs.map((run) => run.scale));
  return { id, name: request.name, createdAt, scale, choice: choiceOf(request), runs };
}

/** A new study like it is filled in with it. */
function choiceOf(request: CheckedPayload<'study.create'>): NonNullable<Study['choice']> {
  const { problems, from, to, includeExcluded, needsPublicTests } = request;
  return {
    ...(problems === undefined ? {} : { problems }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    includeExcluded,
    needsPublicTests,
  };
}

/** The study with the named small model of each launch: `deskModel` of its id. */
export function withDeskModels(study: Study, deskModel: DeskModel): Study {
  const named = (server: ServerSpec): ServerSpec => withDeskModel(server, deskModel);
  return {
    ...study,
    runs: study.runs.map((run) => ({ ...run, team: { ...run.team, servers: run.team.servers.map(named) } })),
  };
}

type DeskModel = (launchId: string) => string | null;

/** What a request says of the small model does not count. */
export function withDeskModel(server: ServerSpec, deskModel: DeskModel): ServerSpec {
  if (server.kind !== 'launch') return server;
  const { deskModel: _requested, ...rest } = server;
  const model = deskModel(server.launchId);
  return model === null ? rest : { ...rest, deskModel: model };
}
