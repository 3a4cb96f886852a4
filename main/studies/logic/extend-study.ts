import {
  type Benchmark,
  type CheckedPayload,
  candidateCount,
  chosenProblems,
  configurationsOf,
  type Refusal,
  type RunConfig,
  type ServerSpec,
  type Study,
  type StudyExtension,
} from '../../../preload/contract/index';
import { assertNever, canonicalJson, counted, ok, type Result } from '../../base/index';
import { highest, maxNodes, refused, withTreeLimits } from './changed-limits';
import { decidingScale, newStudy, type ScaleContext, scaleOf, withDeskModel } from './new-study';

type ExtensionRequest = Omit<CheckedPayload<'study.extend'>, 'studyId' | 'apply' | 'takeBack'>;

/** Facts that an extension depends on beside the study itself. */
export type ExtensionContext = ScaleContext & {
  readonly benchmark: Benchmark;
  /** In the benchmark's order. */
  readonly problems: Parameters<typeof chosenProblems>[2];
  /** ISO time. */
  readonly at: string;
  /** Has a program been graded, so that somebody can have looked? */
  readonly hasResults: boolean;
  /** The named small model of a launch, by its id; null: it has none. */
  readonly deskModel: (launchId: string) => string | null;
  /** From where it is asked for. */
  readonly by?: StudyExtension['by'];
};

export type ExtendedStudy = {
  readonly study: Study;
  readonly extension: StudyExtension;
  /** Programs that it adds, at most; below 0: that it leaves out, at most. */
  readonly programs: number;
};

/** Limits of a new study. */
const MAX_CONFIGURATIONS = 50;
const MAX_SEEDS = 100;

/**
 * The study with more of what it has, or other limits of its trees. No run is changed but for its limits and problems after
 * those that it has: journals go on where they end. The same request to the same study gives the same runs; `at` alone is the
 * clock's.
 *
 * What the extended study measures is what one of that size measures from the start: seeds, problems and configurations do not
 * see each other, and no strategy sees the limits of a tree (`TrialScheduler.changeLimits` says where batches do). So exports are
 * the same to the byte, but for the sentence that it was extended.
 */
export function extendedStudy(
  study: Study,
  request: ExtensionRequest,
  context: ExtensionContext,
): Result<ExtendedStudy, Refusal> {
  const { seeds = [], configurations = [] } = request;
  const { nodes, tokens, seconds } = request;
  const isSet = [request.problems, nodes, tokens, seconds].some((value) => value !== undefined);
  if (seeds.length + configurations.length === 0 && !isSet)
    return refused(
      'Nothing is added. Choose more seeds, problems or configurations, or other limits of trees.',
    );
  const limited = withTreeLimits(study, request);
  if (!limited.ok) return limited;
  const wider = withProblems(study, limited.value, request.problems, context);
  if (!wider.ok) return wider;
  const rows = withConfigurations(study, wider.value, configurations, context);
  if (!rows.ok) return rows;
  const runs = withSeeds(study.id, rows.value, seeds);
  if (!runs.ok) return runs;
  const agents = newAgents(study.runs, runs.value);
  const extension: StudyExtension = {
    at: context.at,
    afterResults: context.hasResults,
    seeds: [...seeds],
    problems: (wider.value[0]?.problemIds.length ?? 0) - (study.runs[0]?.problemIds.length ?? 0),
    nodes: nodes === undefined ? null : { before: maxNodes(study.runs), since: nodes },
    configurations: configurations.map(({ configuration }) => configuration),
    ...(agents.length > 0 && { agents }),
    ...(tokens !== undefined && { tokens: { before: highest(study, 'tokens'), since: tokens } }),
    ...(seconds !== undefined && { seconds: { before: highest(study, 'seconds'), since: seconds } }),
    ...(context.by !== undefined && { by: context.by }),
  };
  const extensions = [...(study.extensions ?? []), extension];
  const programs = programsOf(runs.value) - programsOf(study.runs);
  // An earlier version may have decided otherwise: what is not changed keeps its scale.
  const isRescaled = runs.value.some(({ scale }) => !study.runs.some((run) => run.scale === scale));
  const scale = isRescaled ? decidingScale(runs.value.map((run) => run.scale)) : study.scale;
  return ok({ study: { ...study, scale, runs: runs.value, extensions }, extension, programs });
}

export const programsOf = (runs: readonly RunConfig[]): number =>
  runs.reduce((sum, run) => sum + candidateCount(run), 0);

/** The next problems of the study's own choice: it then has those that a new study with so many has. */
function withProblems(
  study: Study,
  runs: readonly RunConfig[],
  total: number | undefined,
  context: ExtensionContext,
): Result<readonly RunConfig[], Refusal> {
  if (total === undefined) return ok(runs);
  const firstIds = runs[0]?.problemIds ?? [];
  if (runs.some(({ problemIds }) => problemIds.join() !== firstIds.join()))
    return refused('Its runs search different problems, so it is not known which ones are next.');
  if (total <= firstIds.length)
    return refused(`It has ${counted(firstIds.length, 'problem')}. Choose more than ${firstIds.length}.`);
  const { problems: _first, ...choice } = study.choice ?? { includeExcluded: false, needsPublicTests: false };
  const isKnown = new Set(firstIds);
  const { benchmark } = context;
  const next = chosenProblems(choice, benchmark, context.problems).filter((id) => !isKnown.has(id));
  const added = next.slice(0, total - firstIds.length);
  if (firstIds.length + added.length < total) {
    const most = counted(firstIds.length + next.length, 'problem');
    // Days, marks and public tests can leave out some of the benchmark's.
    const limit =
      firstIds.length + next.length < benchmark.problems
        ? `Of ${benchmark.name}, ${most} fit the choice that the study was created with`
        : `${benchmark.name} has ${most}`;
    return refused(
      next.length === 0
        ? `${limit}, and the study has them all. For more, create a study on a larger benchmark.`
        : `${limit}. Choose at most so many.`,
    );
  }
  const problemIds = [...firstIds, ...added];
  return ok(
    runs.map((run) => {
      // Problems decide between these two alone; another scale stays, even where its launch is gone.
      const isOfLarge = run.scale === 'paper' || run.scale === 'own';
      return { ...run, problemIds, scale: isOfLarge ? scaleOf(run.team, problemIds, context) : run.scale };
    }),
  );
}

/** New configurations, with all of its seeds. */
function withConfigurations(
  study: Study,
  runs: readonly RunConfig[],
  added: NonNullable<ExtensionRequest['configurations']>,
  context: ExtensionContext,
): Result<readonly RunConfig[], Refusal> {
  const [first] = runs;
  if (added.length === 0 || first === undefined) return ok(runs);
  const names = configurationsOf(study);
  const duplicate = added.find(({ configuration }) => names.includes(configuration));
  if (duplicate !== undefined)
    return refused(`It has a configuration "${duplicate.configuration}" already. Choose another name.`);
  if (names.length + added.length > MAX_CONFIGURATIONS)
    return refused(`A study has at most ${MAX_CONFIGURATIONS} configurations.`);
  const own = study.runs.flatMap(({ team }) => team.servers);
  const known = [...own];
  const rows: typeof added = [];
  for (const row of added) {
    const servers = row.team.servers.map((server) => studyServer(server, own, context));
    const double = servers.flatMap((server) => {
      const [other, ...others] = known.filter(({ id }) => id === server.id);
      const isKnown = [other, ...others].some(
        (one) => one !== undefined && modelKey(one) === modelKey(server),
      );
      return other === undefined || isKnown ? [] : [{ server, other }];
    })[0];
    if (double !== undefined) {
      const { server, other } = double;
      return refused(
        `The agent "${server.id}" of "${row.configuration}" (${modelText(server)}) has the name of another one: ${modelText(other)}.`,
        'Serve its model under another name, or start a separate study and compare the two under Compare.',
      );
    }
    known.push(...servers);
    rows.push({ ...row, team: { ...row.team, servers } });
  }
  const made = newStudy(
    {
      ...{ name: study.name, benchmarkId: first.benchmarkId, configurations: rows, search: first.search },
      ...{ includeExcluded: false, needsPublicTests: false },
      seeds: [...new Set(study.runs.map(({ seed }) => seed))],
    },
    {
      ...{ studyId: study.id, createdAt: study.createdAt, benchmark: context.benchmark },
      problemIds: first.problemIds,
      ...{ launchScale: context.launchScale, arePapers: context.arePapers },
    },
  );
  const twice = made.runs.find((run) => runs.some((other) => settingsOf(other) === settingsOf(run)));
  if (twice !== undefined) {
    return refused(
      `"${twice.configuration}" has the team and the search of a configuration that it has, and measures nothing new.`,
    );
  }
  const ownRuns = made.runs.map((run) => {
    const position =
      names.length + rows.findIndex(({ configuration }) => configuration === run.configuration);
    return { ...run, id: `${study.id}.${position}.${run.seed}` };
  });
  return ok([...runs, ...ownRuns]);
}

/** The study's own server where that has the same model; a new one as a new study has it. */
function studyServer(
  server: ServerSpec,
  own: readonly ServerSpec[],
  { deskModel }: Pick<ExtensionContext, 'deskModel'>,
): ServerSpec {
  const existing = own.find((other) => modelKey(other) === modelKey(server));
  return existing === undefined ? withDeskModel(server, deskModel) : { ...existing, id: server.id };
}

/** Names of agents whose models no run had before. */
function newAgents(before: readonly RunConfig[], since: readonly RunConfig[]): string[] {
  const known = new Set(before.flatMap(({ team }) => team.servers.map(modelKey)));
  const servers = since.flatMap(({ team }) => team.servers).filter((server) => !known.has(modelKey(server)));
  return [...new Set(servers.map(({ id }) => id))];
}

function modelKey(server: ServerSpec): string {
  switch (server.kind) {
    case 'pocket':
      return JSON.stringify([server.kind, server.family, server.checkpointSeed, server.trained]);
    case 'recorded':
      return JSON.stringify([server.kind, server.recordingId]);
    case 'url':
      // The same address is another server in the network of another machine.
      return JSON.stringify([server.kind, server.baseUrl, server.model, server.machineId]);
    case 'launch':
      return JSON.stringify([server.kind, server.launchId]);
    default:
      return assertNever(server);
  }
}

/** Where a model is, to tell it from another one of its name. */
function modelText(server: ServerSpec): string {
  switch (server.kind) {
    case 'pocket':
      return server.trained === undefined
        ? `pocket ${server.family}, pre-trained with seed ${server.checkpointSeed}`
        : `checkpoint ${server.trained.checkpointId} of the training ${server.trained.trainingId}`;
    case 'recorded':
      return `recording ${server.recordingId}`;
    case 'url':
      return `${server.model} at ${server.baseUrl}${server.machineId === undefined ? '' : `, seen from ${server.machineId}`}`;
    case 'launch':
      return `launch ${server.launchId}`;
    default:
      return assertNever(server);
  }
}

const settingsOf = ({ team, search }: RunConfig): string => canonicalJson([team, search]);

/** Every configuration with more seeds, in the order of a new study. */
function withSeeds(
  studyId: string,
  runs: readonly RunConfig[],
  added: readonly number[],
): Result<RunConfig[], Refusal> {
  if (added.length === 0) return ok([...runs]);
  const usedSeeds = new Set(runs.map(({ seed }) => seed));
  const again = added.find((seed) => usedSeeds.has(seed));
  if (again !== undefined)
    return refused(`It has seed ${again} already, and the same seed measures nothing new.`);
  if (usedSeeds.size + added.length > MAX_SEEDS) return refused(`A study has at most ${MAX_SEEDS} seeds.`);
  const names = [...new Set(runs.map(({ configuration }) => configuration))];
  const rows = names.map((name) => runs.filter(({ configuration }) => configuration === name));
  const all: RunConfig[] = [];
  for (const [position, row] of rows.entries()) {
    const [first] = row as [RunConfig];
    const differs = row.some((run) => settingsOf(run) !== settingsOf(first));
    if (differs) {
      return refused(
        `"${first.configuration}" has other models or settings for each seed, so another seed needs a model that does not exist yet.`,
        'Add seeds where its models are trained: to the experiment or the reproduction.',
      );
    }
    const end = `.${first.seed}`;
    const start = first.id.endsWith(end) ? first.id.slice(0, -end.length) : `${studyId}.${position}`;
    all.push(...row, ...added.map((seed) => ({ ...first, seed, id: `${start}.${seed}` })));
  }
  return ok(all);
}
