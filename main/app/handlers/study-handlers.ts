import { randomUUID } from 'node:crypto';
import type { Benchmark, CheckedPayload, Recording, Refusal, Study } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { Registry } from '../../storage/index';
import {
  chosenProblems,
  newStudy,
  QUICKSTART,
  quickstartPlan,
  quickstartStudy,
  regradeStudy,
  type StudyService,
  type StudySurroundings,
  studyDiversity,
  verifyStudy,
} from '../../studies/index';
import type { Handlers } from '../dispatch';
import type { GraderKeeper } from '../grader-provider';
import type { LongTasks } from '../long-tasks';

/** Candidates a second on a laptop's two cores, until this computer has been measured. */
const FIRST_GUESS_PER_SECOND = 70;

type Around = {
  readonly registry: Registry;
  readonly studies: StudyService;
  readonly surroundings: StudySurroundings;
  readonly grader: GraderKeeper;
  readonly tasks: LongTasks;
  readonly dataDir: string;
};

/** What would stop the study at its start, or at its first program; null: nothing. */
function whatCannotRun(
  { configurations, search }: CheckedPayload<'study.create'>,
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
          message: `There is no recording "${server.recordingId}" in the library. Import it, or choose another one.`,
        }
      : {
          code: 'bad-input',
          message: `The recording "${recording.id}" answers the problems of ${recording.benchmarkId}, not those of ${benchmark.id}.`,
        };
  }
  const rewards = [search, ...configurations.map((one) => one.search)].map((one) => one?.rewardModel);
  if (benchmark.scale === 'pocket' || !rewards.some((model) => model?.source.kind === 'pocket')) return null;
  const message = `The pocket reward model reads pocket problems only, and ${benchmark.name} has none.`;
  return { code: 'bad-input', message, hint: 'Give the address of a reward model, or search without one.' };
}

/** Making studies, running them, looking at them. */
export function studyHandlers(around: Around): Handlers {
  const { registry, studies, surroundings, grader, dataDir } = around;
  const { library, now } = surroundings;

  const newName = (): { studyId: string; createdAt: string } => {
    const createdAt = new Date(now()).toISOString();
    return { studyId: `${createdAt.slice(0, 10)}-${randomUUID().slice(0, 8)}`, createdAt };
  };
  const begin = async (study: Study): Promise<Result<{ studyId: string }, Refusal>> => {
    const added = await studies.add(study);
    return added.ok ? ok({ studyId: study.id }) : added;
  };

  const create = async (
    order: CheckedPayload<'study.create'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const found = await library.find(order.benchmarkId);
    if (!found.ok) return found;
    const benchmark = found.value;
    const unfit = whatCannotRun(order, benchmark, library.recordings());
    if (unfit !== null) return failed(unfit);
    const outline = await library.outline(benchmark.id);
    if (!outline.ok) return outline;
    const problemIds = chosenProblems(order, benchmark, outline.value);
    if (problemIds.length === 0) {
      return failed({
        code: 'bad-input',
        message: `No problem of ${benchmark.name} is left: all are outside of the days that were asked for, or are marked to be left out.`,
      });
    }
    return begin(newStudy(order, { ...newName(), benchmark, problemIds }));
  };

  const startQuickstart = async (
    order: CheckedPayload<'quickstart.start'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const occupied = studies.busy();
    if (occupied !== null) return failed(occupied);
    const opened = await grader.open();
    if (!opened.ok) return opened;
    const benchmark = await library.ensurePocket({
      split: 'test',
      seed: QUICKSTART.benchmarkSeed,
      count: Math.max(QUICKSTART.problems, order.problems ?? 0),
    });
    if (!benchmark.ok) return benchmark;
    const outline = await library.outline(benchmark.value.id);
    if (!outline.ok) return outline;
    const study = quickstartStudy(order, {
      ...newName(),
      benchmark: benchmark.value,
      problemIds: outline.value.map(({ id }) => id),
    });
    const begun = await begin(study);
    if (!begun.ok) return begun;
    const started = await studies.start(study.id);
    return started.ok ? begun : started;
  };

  return {
    'quickstart.plan': async () =>
      ok(
        quickstartPlan({
          candidatesPerSecond:
            registry.read().speeds.findLast(({ scale }) => scale === 'pocket')?.candidatesPerSecond ??
            FIRST_GUESS_PER_SECOND,
          dataDir,
          sandboxProblem: await grader.problem(),
        }),
      ),
    'quickstart.start': startQuickstart,
    'study.list': async () => ok([...studies.list()]),
    'study.create': create,
    'study.start': ({ studyId }) => studies.start(studyId),
    'study.pause': ({ studyId }) => studies.stop(studyId, 'paused'),
    'study.cancel': ({ studyId }) => studies.stop(studyId, 'cancelled'),
    'study.remove': ({ studyId }) => studies.remove(studyId),
    'study.restore': ({ studyId }) => studies.restore(studyId),
    'study.annotate': ({ studyId, ...words }) => studies.annotate(studyId, words),
    'study.outcomes': ({ studyId }) => studies.archive.outcomes(studyId),
    'study.analysis': ({ studyId }) => studies.archive.analysis(studyId),
    'run.events': async ({ runId, from = 0, most }) => {
      const read = await studies.archive.runEvents(runId);
      return read.ok ? ok(read.value.slice(from, most === undefined ? undefined : from + most)) : read;
    },
    'run.repair': ({ runId }) => studies.archive.repair(runId),
    'node.read': (place) => studies.archive.readNode(place),
    'node.beliefs': (place) => studies.archive.nodeBeliefs(place),
    'export.write': (order) => studies.archive.exportCsv(order),
    ...checkHandlers(around),
  };
}

/** What is asked of a study's journals as a whole; each takes a while and changes nothing. */
function checkHandlers({ studies, surroundings, grader, tasks }: Around): Handlers {
  const { archive } = studies;
  return {
    'study.verify': async ({ studyId }) => {
      const study = archive.study(studyId);
      if (!study.ok) return study;
      return tasks.run('verify', (signal, tell) =>
        verifyStudy({
          study: study.value,
          journalOf: archive.journal,
          signal,
          onProgress: (done, total) => tell({ what: 'replaying', done, total, unit: 'trees' }),
        }),
      );
    },
    'study.regrade': async ({ studyId, programs, grading }) => {
      const study = archive.study(studyId);
      if (!study.ok) return study;
      const opened = await grader.open();
      if (!opened.ok) return opened;
      const regraded = await tasks.run('regrade', (signal, tell) =>
        regradeStudy({
          study: study.value,
          journalOf: archive.journal,
          library: surroundings.library,
          grader: opened.value,
          programs,
          grading,
          signal,
          onProgress: (done, total) => tell({ what: 'grading again', done, total, unit: 'programs' }),
        }),
      );
      // Another reading on purpose is no noise of the grader.
      if (regraded.ok && grading === undefined) await archive.keepRegrade(study.value, regraded.value);
      return regraded;
    },
    'study.diversity': async ({ studyId, judge, similarity }) => {
      const study = archive.study(studyId);
      if (!study.ok) return study;
      return tasks.run('diversity', async (signal, tell) =>
        studyDiversity({
          study: study.value,
          views: await archive.views(study.value),
          treeEvents: async (runId, problemId, part) => {
            const journal = await archive.journal(runId);
            return journal.ok && journal.value !== null ? journal.value.treeEvents(problemId, part) : [];
          },
          judge,
          similarity,
          library: surroundings.library,
          checkpoints: surroundings.checkpoints,
          signal,
          progress: (done, total) => tell({ what: 'reading programs', done, total, unit: 'trees' }),
        }),
      );
    },
    'task.cancel': async ({ task }) => {
      tasks.cancel(task);
      return ok(null);
    },
  };
}
