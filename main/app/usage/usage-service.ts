import { join } from 'node:path';
import type { Refusal, Usage, UsageRequest } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { ExperimentService, ReproductionService } from '../../plans/index';
import { type Registry, reasonOf } from '../../storage/index';
import type { StudyFiles } from '../../studies/index';
import type { TrainingService } from '../../trainings/index';
import { startsOf } from './job-starts';
import { type RecordDeps, recordOf, recordStarts, spanOf } from './record-starts';
import { openStartLedger, type StartLedger, type StartRecord } from './start-ledger';
import { openTokenCounts, type TokenCount } from './token-counts';
import { usageNotes } from './usage-notes';
import { presentNames, projectsOf } from './usage-projects';
import { type MonthlyUse, splitByMonth, usageOf } from './usage-table';

export type UsageDeps = RecordDeps & {
  readonly dataDir: string;
  readonly trainings: Pick<TrainingService, 'list' | 'curves' | 'beforeRemoval'>;
  readonly experiments: Pick<ExperimentService, 'list'>;
  readonly reproductions: Pick<ReproductionService, 'list'>;
  readonly registry: Pick<Registry, 'read'>;
  readonly files: Pick<StudyFiles, 'folder' | 'journal' | 'discardedJournal'>;
};

export type UsageService = {
  /** GPU-hours and tokens up to now. The first call reads every journal that has grown. */
  readonly read: (request: UsageRequest) => Promise<Result<Usage, Refusal>>;
  /** Ends of jobs that were seen are in the ledger; later ones are added by the next start. */
  readonly close: () => Promise<void>;
};

/**
 * Counts what ends from now on, and what has ended meanwhile. The ledger of the data folder is read when it is needed first:
 * when a job ends or goes, or somebody asks.
 */
export function createUsageService(deps: UsageDeps): UsageService {
  const path = join(deps.dataDir, 'usage', 'starts.jsonl');
  let reading: Promise<Result<StartLedger, Refusal>> | null = null;
  const readLedger = (): Promise<Result<StartLedger, Refusal>> => {
    // The rest of the workbench can do without it.
    reading ??= openStartLedger(path).then(ok, (error: unknown) => failed(unreadable(path, error)));
    return reading;
  };
  const recording = recordStarts(readLedger, projectsOf(deps), deps);
  const tokens = openTokenCounts({
    path: join(deps.dataDir, 'usage', 'tokens.json'),
    files: deps.files,
    curves: deps.trainings.curves,
  });
  deps.trainings.beforeRemoval(async (training) => {
    try {
      await tokens.read([], [training], projectsOf(deps));
    } catch (error) {
      deps.onError({ name: 'usage', key: training.id, error, failures: 1, waitMs: 0 });
    }
  });
  return {
    read: async (request) => {
      const answer = await readLedger();
      if (!answer.ok) return answer;
      const ledger = answer.value;
      await recording.catchUp();
      const snapshot = snapshotOf(deps);
      const projects = projectsOf(snapshot);
      const own = deps.registry.read().studies.filter(({ fromBundle }) => fromBundle === undefined);
      const studies = own.map(({ study }) => study);
      const counting = await tokens.read(studies, snapshot.trainings.list(), projects).then(ok, failedCount);
      if (!counting.ok) return counting;
      const counted = counting.value;
      const ended = ledger.records();
      const nowMs = deps.clock.now();
      const running = snapshot.jobs.list().flatMap(({ view, spec }): MonthlyUse[] =>
        startsOf(view)
          .filter(({ attempt }) => !ledger.has(view.id, attempt))
          .flatMap((start) => {
            const project = projects.ofJob(view, spec.notes);
            return usesOf(recordOf(view, spanOf(view, start, nowMs), project), true);
          }),
      );
      const jobs = new Map(
        [
          ...ended.map(({ jobId: id, name, machineId }) => ({ id, name, machineId })),
          ...snapshot.jobs.list().map(({ view: { id, name, machineId } }) => ({ id, name, machineId })),
        ].map((job) => [job.id, job]),
      );
      const named = presentNames(snapshot);
      const uses = [
        ...ended.flatMap((start) => usesOf(start, false)),
        ...running,
        ...counted.counts.flatMap((count) => tokenUses(count, jobs)),
      ].map((use) => ({ ...use, project: use.project === null ? null : named(use.project) }));
      const notes = usageNotes({
        noticed: ended.filter(({ end, gpus }) => end === 'noticed' && gpus > 0).length,
        unread: ledger.unread,
        ...counted,
        hasProjects: uses.some(({ project }) => project !== null),
      });
      return ok(usageOf(uses, request, projects.isListed, notes));
    },
    close: recording.close,
  };
}

const unreadable = (path: string, error: unknown): Refusal => ({
  code: 'unavailable',
  message: `The ledger ${path} cannot be read: ${reasonOf(error)}.`,
  hint: 'Make the file readable for your account, then start the workbench again.',
});

const failedCount = (error: unknown): Result<never, Refusal> =>
  failed({
    code: 'unavailable',
    message: `${reasonOf(error)}.`,
    hint: 'It has the tokens of what is gone since. Make it readable for your account.',
  });

/** The lists as they are now: each is asked once, however many rows go by it. */
function snapshotOf({ jobs, trainings, experiments, reproductions, registry }: UsageDeps) {
  const list = <T>(items: readonly T[]) => ({ list: () => items });
  const data = registry.read();
  return {
    jobs: list(jobs.list()),
    trainings: list(trainings.list()),
    experiments: list(experiments.list()),
    reproductions: list(reproductions.list()),
    registry: { read: () => data },
  };
}

function usesOf(start: StartRecord, isOpen: boolean): readonly MonthlyUse[] {
  const { jobId, name, machineId, project, gpus } = start;
  const [fromMs, toMs] = [Date.parse(start.startedAt), Date.parse(start.endedAt)];
  // A job that still waits in a queue has used nothing.
  const parts = isOpen && fromMs === toMs ? [] : splitByMonth(fromMs, toMs);
  return parts.map(({ month, hours }, at) => ({
    month,
    job: { id: jobId, name, machineId },
    project,
    gpuHours: gpus * hours,
    hours,
    promptTokens: 0,
    completionTokens: 0,
    // A month that is over gets no more use.
    isOpen: isOpen && at === parts.length - 1,
  }));
}

function tokenUses(
  { project, parts }: TokenCount,
  jobs: ReadonlyMap<string, NonNullable<MonthlyUse['job']>>,
): readonly MonthlyUse[] {
  return parts.map(({ month, model, jobId, promptTokens, completionTokens }) => ({
    month,
    job: jobs.get(jobId ?? '') ?? null,
    model,
    project,
    gpuHours: 0,
    hours: 0,
    promptTokens,
    completionTokens,
    isOpen: false,
  }));
}
