import { randomUUID } from 'node:crypto';
import {
  arePapersProblems,
  type Benchmark,
  type CheckedPayload,
  chosenProblems,
  type PaperBenchmark,
  type Recording,
  type Refusal,
  type Study,
} from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { Registry } from '../../storage/index';
import {
  newStudy,
  QUICKSTART,
  quickstartPlan,
  quickstartStudy,
  readOrigins,
  type StudyDeps,
  type StudyService,
  studyIdOf,
  withDeskModels,
} from '../../studies/index';
import type { TrainingService } from '../../trainings/index';
import type { Handlers } from '../dispatch';
import type { GraderProvider } from '../grader-provider';
import { launchDeskModel, launchScale } from '../launch-scale';
import type { LongTasks } from '../long-tasks';
import { withAgentNames } from './agent-names';
import { promptFormatsProblem, withTemplateDigests } from './prompt-formats';
import { studyCheckHandlers } from './study-check-handlers';
import { studyExtender } from './study-extender';

/** Candidates a second until this computer has been measured; two busy cores wrote and graded 300. */
const FIRST_GUESS_PER_SECOND = 200;

export type StudyHandlerDeps = {
  readonly registry: Registry;
  readonly studies: StudyService;
  readonly studyDeps: StudyDeps;
  readonly trainings: Pick<TrainingService, 'list'>;
  readonly grader: GraderProvider;
  readonly tasks: LongTasks;
  readonly dataDir: string;
  /** Title of the exhibit that is measured with this study; null: it belongs to none. */
  readonly exhibitOf: (studyId: string) => string | null;
  /** The problems of papers, as all exhibits name them. */
  readonly papers: () => Promise<readonly PaperBenchmark[]>;
};

/** Why configurations could not run on this benchmark; null when they can. */
export function problemOf(
  { configurations, search }: Pick<CheckedPayload<'study.create'>, 'configurations' | 'search'>,
  benchmark: Benchmark,
  recordings: readonly Recording[],
): Refusal | null {
  for (const server of configurations.flatMap(({ team }) => team.servers)) {
    if (server.kind !== 'recorded') continue;
    const recording = recordings.find(({ id }) => id === server.recordingId);
    if (recording?.benchmarkId === benchmark.id) continue;
    return recording === undefined
      ? {
          code: 'not-found',
          message: `There is no recording "${server.recordingId}" in the library.`,
          hint: recordingsText(benchmark, recordings),
        }
      : {
          code: 'bad-input',
          message: `The recording "${recording.id}" has answers to problems of ${recording.benchmarkId}, not of ${benchmark.id}.`,
        };
  }
  const rewards = [search, ...configurations.map((settings) => settings.search)].map(
    (settings) => settings?.rewardModel,
  );
  if (benchmark.scale === 'pocket' || !rewards.some((model) => model?.source.kind === 'pocket')) return null;
  const message = `The pocket reward model can only score pocket problems, and ${benchmark.name} has none.`;
  return { code: 'bad-input', message, hint: 'Set the address of a reward model, or search without one.' };
}

/** Longest enumeration of recordings in a message: more are better read in their list. */
const MAX_NAMED = 12;

function recordingsText({ id, name }: Benchmark, recordings: readonly Recording[]): string {
  const ids = recordings.filter(({ benchmarkId }) => benchmarkId === id).map((recording) => recording.id);
  if (ids.length === 0) return `There is none for ${name}: import one.`;
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  return `For ${name} there are: ${ids.slice(0, MAX_NAMED).join(', ')}${more}.`;
}

/** Creating, running and reading studies. */
export function studyHandlers(deps: StudyHandlerDeps): Handlers {
  const { registry, studies, studyDeps, trainings, grader, dataDir } = deps;
  const { library, now } = studyDeps;

  const newName = (): { studyId: string; createdAt: string } => {
    const createdAt = new Date(now()).toISOString();
    return { studyId: studyIdOf(createdAt, randomUUID()), createdAt };
  };
  const add = async (study: Study): Promise<Result<{ studyId: string }, Refusal>> => {
    const added = await studies.add(study);
    return added.ok ? ok({ studyId: study.id }) : added;
  };

  const create = async (
    request: CheckedPayload<'study.create'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const found = await library.find(request.benchmarkId);
    if (!found.ok) return found;
    const benchmark = found.value;
    const problem = problemOf(request, benchmark, library.recordings());
    if (problem !== null) return failed(problem);
    const outline = await library.outline(benchmark.id);
    if (!outline.ok) return outline;
    const problemIds = chosenProblems(request, benchmark, outline.value);
    if (problemIds.length === 0) {
      return failed({
        code: 'bad-input',
        message: `No problem of ${benchmark.name} is left: all are outside the chosen dates, marked as excluded, or left out because they have no public tests.`,
      });
    }
    const { launches } = registry.read();
    const launchOf = (launchId: string) => launches.find(({ id }) => id === launchId);
    const papers = await deps.papers();
    const checked = newStudy(withTemplateDigests(withAgentNames(request, library.recordings(), launches)), {
      ...newName(),
      benchmark,
      problemIds,
      launchScale: (id) => launchScale(launchOf(id), trainings.list()),
      arePapers: (ids) => arePapersProblems(papers, { benchmark, problems: outline.value }, ids),
    });
    const study = withDeskModels(checked, (id) => launchDeskModel(launchOf(id), trainings.list()));
    const formatProblem = await promptFormatsProblem(study, library, launches);
    return formatProblem === null ? add(study) : failed(formatProblem);
  };

  const startQuickstart = async (
    request: CheckedPayload<'quickstart.start'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const opened = await grader.open();
    if (!opened.ok) return opened;
    const benchmark = await library.ensurePocket({
      split: 'test',
      seed: QUICKSTART.benchmarkSeed,
      count: Math.max(QUICKSTART.problems, request.problems ?? 0),
    });
    if (!benchmark.ok) return benchmark;
    const outline = await library.outline(benchmark.value.id);
    if (!outline.ok) return outline;
    const study = quickstartStudy(request, {
      ...newName(),
      benchmark: benchmark.value,
      problemIds: outline.value.map(({ id }) => id),
    });
    // A quickstart that cannot start now is not added to the list.
    const conflict = studies.conflict(study.runs.flatMap(({ team }) => team.servers));
    if (conflict !== null) return failed(conflict);
    const added = await add(study);
    if (!added.ok) return added;
    const started = await studies.start(study.id);
    return started.ok ? added : started;
  };

  return {
    'quickstart.plan': async () =>
      ok(
        quickstartPlan({
          candidatesPerSecond:
            registry.read().speeds.findLast(({ scale }) => scale === 'pocket')?.candidatesPerSecond ??
            FIRST_GUESS_PER_SECOND,
          dataDir,
          sandboxProblem: (await grader.problem()).sandboxProblem,
        }),
      ),
    'quickstart.start': startQuickstart,
    'study.list': async ({ checked = false }) => {
      await (checked ? studies.checkDamage() : studies.checkJournals());
      return ok([...studies.list()]);
    },
    'study.create': create,
    'study.extend': studyExtender(deps, problemOf),
    'study.start': ({ studyId }) => studies.queue(studyId),
    'study.pause': ({ studyId }) => studies.stop(studyId, 'paused'),
    'study.cancel': ({ studyId }) => studies.stop(studyId, 'cancelled'),
    'study.remove': ({ studyId }) => studies.remove(studyId),
    'study.restore': ({ studyId }) => studies.restore(studyId),
    'study.trash': async () => ok([...(await studies.inTrash())]),
    'study.delete': ({ studyId }) => studies.deleteForGood(studyId),
    'study.set': ({ studyId, parallel }) => studies.setParallel(studyId, parallel),
    'study.rename': ({ studyId, name }) => studies.rename(studyId, name),
    'study.annotate': ({ studyId, ...annotation }) => studies.annotate(studyId, annotation),
    'study.outcomes': ({ studyId }) => studies.results.outcomes(studyId),
    'study.origins': async ({ studyId }) => {
      const study = await studies.results.readable(studyId);
      return study.ok ? readOrigins(studyDeps.files, studyId) : study;
    },
    'study.analysis': ({ studyId }) => studies.results.analysis(studyId),
    'run.events': async ({ runId, from = 0, most }) => {
      const read = await studies.results.runEvents(runId);
      return read.ok ? ok(read.value.slice(from, most === undefined ? undefined : from + most)) : read;
    },
    'run.repair': ({ runId }) => studies.results.repair(runId),
    'node.read': (node) => studies.results.readNode(node),
    'node.posteriors': (node) => studies.results.nodePosteriors(node),
    ...studyCheckHandlers(deps),
  };
}
