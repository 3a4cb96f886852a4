import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type {
  Benchmark,
  Provenance,
  Refusal,
  RewardModel,
  RunEvent,
  RunView,
  ServerSpec,
  Study,
  StudyState,
} from '../../preload/contract/index';
import { ok, orThrow, RefusalError, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import type { RewardFunction } from '../search/index';
import type { ServerService } from '../servers/index';
import { JournalWriteError } from '../storage/index';
import type { StudyEnd, StudyStop } from './logic/next-action';
import { TreeSchedule } from './logic/tree-schedule';
import type { PocketCheckpoints } from './pocket-checkpoints';
import { PrioritySemaphore } from './priority-semaphore';
import { cachedProblems } from './problem-cache';
import { openRunSession, type RunSession } from './run-session';
import type { StudyFiles } from './study-files';
import { recordOrigins } from './study-origins';
import { StudyServers } from './study-servers';
import { TreePool } from './tree-pool';
import {
  gradeTask,
  isDone,
  isSearched,
  plannedTree,
  searchTask,
  type TreeDeps,
  type TreeTask,
  tasksOf,
} from './tree-work';

/** The collaborators of studies in the rest of the workbench. */
export type StudyDeps = {
  readonly appVersion: string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** First 16 hex digits of a text's SHA-256. */
  readonly digest: (text: string) => string;
  readonly openGrader: () => Promise<Result<Grader, Refusal>>;
  readonly library: BenchmarkLibrary;
  readonly servers: Pick<ServerService, 'ensure' | 'onChange' | 'stopOwnedBy' | 'views'>;
  readonly checkpoints: PocketCheckpoints;
  readonly files: StudyFiles;
  /** What made the last start of a job; null: not recorded (yet). */
  readonly provenanceOf: (jobId: string) => Promise<Result<Provenance | null, Refusal>>;
  /** Prepares a reward model. */
  readonly rewardOf: (model: RewardModel, signal: AbortSignal) => Promise<Result<RewardFunction, Refusal>>;
};

export type ActiveStudy = {
  readonly study: Study;
  readonly state: () => StudyState;
  readonly views: () => ReadonlyMap<string, RunView>;
  /** Unreachable servers that it waits for now. */
  readonly waitsFor: () => readonly ServerSpec[];
  /** Only while its journal is open. */
  readonly session: (runId: string) => RunSession | undefined;
  /** Requests at once to each server, from now on; null: as many as the server takes. */
  readonly setParallel: (parallel: number | null) => void;
  /** Asks the work to stop; `ended` settles when it has. */
  readonly stop: (as: StudyStop) => void;
  readonly ended: Promise<StudyEnd>;
};

/**
 * Searched trees whose private tests run side by side: while one finishes its last program, the others use the slots.
 */
const TREES_GRADED_TOGETHER = 4;
/** A machine that does not answer must not keep a study from ending. */
const ORIGINS_PATIENCE_MS = 5_000;

export function startStudy(
  study: Study,
  deps: StudyDeps & {
    /** Slots for programs on their private tests, shared by all studies. */
    readonly privateTestSlots: PrioritySemaphore;
    /** See `ActiveStudy.setParallel`. */
    readonly parallel: number | null;
  },
  listeners: {
    readonly onState: (state: StudyState) => void;
    readonly onEvent: (runId: string, event: RunEvent) => void;
    /** An error of our own ends the study: the refusal has its message alone. */
    readonly onBug: (error: unknown) => void;
  },
): ActiveStudy {
  const stopping = new AbortController();
  // Every open request and candidate listens to it: many listeners are no leak here.
  setMaxListeners(0, stopping.signal);
  const sessions = new Map<string, RunSession>();
  let closed = false;
  let stoppedAs: StudyStop = 'paused';
  let servers: StudyServers | null = null;
  let { parallel } = deps;
  let noting: Promise<void> = Promise.resolve();
  let firstFailure: { readonly error: unknown } | null = null;
  let state: StudyState = { kind: 'preparing', step: 'opening journals' };
  const enter = (next: StudyState): void => {
    state = next;
    listeners.onState(next);
  };

  const checkBenchmarks = (): void => {
    for (const run of study.runs) {
      const benchmark = deps.library.list().find(({ id }) => id === run.benchmarkId);
      if (benchmark?.digest === run.benchmarkDigest) continue;
      throw new RefusalError({
        code: 'conflict',
        message: `The benchmark ${run.benchmarkId} ${benchmark === undefined ? 'is not in the library' : 'differs from the one that this study began with'}.`,
        hint:
          run.scale === 'pocket'
            ? 'Start a quickstart study: that generates its benchmark again. Then resume this one.'
            : 'Import the same file again, or start a new study.',
      });
    }
  };

  const openSessions = async (grader: Grader): Promise<void> => {
    for (const config of study.runs) {
      const path = deps.files.journal(study.id, config.id);
      const { appVersion, now } = deps;
      const onEvent = (event: RunEvent): void => listeners.onEvent(config.id, event);
      sessions.set(
        config.id,
        orThrow(await openRunSession({ path, config, appVersion, grader, now, onEvent })),
      );
    }
  };

  /** The search does not wait for it, and does without it. */
  const noteOrigins = (): Promise<void> => {
    const used = servers?.used() ?? [];
    noting = noting
      .then(() => recordOrigins(study.id, used, deps))
      .catch((error: unknown) => listeners.onBug(error));
    return noting;
  };

  const modelFile = async (spec: ServerSpec): Promise<Result<string | null, Refusal>> => {
    if (spec.kind === 'recorded') return deps.library.recordingPath(spec.recordingId);
    if (spec.kind !== 'pocket') return ok(null);
    if (spec.trained !== undefined) return deps.checkpoints.trained(spec.trained);
    if (state.kind === 'preparing') {
      enter({ kind: 'preparing', step: `pre-training the pocket policy ${spec.family}` });
    }
    return deps.checkpoints.ensure(spec.family, spec.checkpointSeed, stopping.signal);
  };

  const rewardModels = async (): Promise<Map<string, RewardFunction>> => {
    const bySource = new Map<string, RewardFunction>();
    const rewards = new Map<string, RewardFunction>();
    for (const { id, search } of study.runs) {
      if (search.rewardModel === null) continue;
      enter({ kind: 'preparing', step: 'preparing the reward model' });
      const key = JSON.stringify(search.rewardModel.source);
      const reward = bySource.get(key) ?? orThrow(await deps.rewardOf(search.rewardModel, stopping.signal));
      bySource.set(key, reward);
      rewards.set(id, reward);
    }
    return rewards;
  };

  /** Searches trees and runs private tests side by side; neither waits for the other. */
  const workOn = async (tasks: readonly TreeTask[], grader: Grader): Promise<void> => {
    const toSearch = tasks.filter((task) => !isSearched(task));
    let pool: TreePool | null = null;
    const studyServers = new StudyServers({
      servers: deps.servers,
      modelFile,
      studyId: study.id,
      signal: stopping.signal,
      parallel,
      onRelease: () => pool?.pump(),
    });
    servers = studyServers;
    const specs = new Set(toSearch.map(({ session }) => session.config)).values();
    const onStep = (step: string): void => enter({ kind: 'preparing', step });
    orThrow(
      await studyServers.start(
        [...specs].flatMap(({ team }) => team.servers),
        onStep,
      ),
    );
    void noteOrigins();
    const treeDeps: TreeDeps = {
      problems: cachedProblems(deps.library),
      benchmarks: new Map(
        deps.library.list().map((benchmark): [string, Benchmark] => [benchmark.id, benchmark]),
      ),
      servers: studyServers,
      grader,
      privateTestSlots: deps.privateTestSlots,
      rewards: toSearch.length === 0 ? new Map() : await rewardModels(),
      now: deps.now,
      sleep: deps.sleep,
      digest: deps.digest,
      signal: stopping.signal,
    };
    if (stopping.signal.aborted) return;
    enter({ kind: 'running' });

    /** The first failure ends all work at once: open requests are lost, everything recorded is kept. */
    const orStop = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        firstFailure ??= { error };
        stopping.abort();
      });
    const gradingSlots = new PrioritySemaphore(TREES_GRADED_TOGETHER);
    const gradings: Promise<void>[] = [];
    const gradeAt = async (at: number): Promise<void> => {
      const release = await gradingSlots.acquire(() => at, stopping.signal);
      if (release === null) return;
      await gradeTask(tasks[at] as TreeTask, treeDeps, at).finally(release);
    };
    const grade = (at: number): void => void gradings.push(orStop(gradeAt(at)));
    for (const [at, task] of tasks.entries()) if (isSearched(task)) grade(at);
    const planned = toSearch.map(plannedTree);
    const schedule = new TreeSchedule(planned, studyServers.slots);
    const searchAt = async (at: number): Promise<void> => {
      const task = toSearch[at] as TreeTask;
      const end = await searchTask(task, treeDeps, {
        rank: () => schedule.rank(at),
        onQueued: () => opened.firstRequestQueued(at),
        onTrial: () => schedule.trialDone(at),
      });
      if (end.kind === 'failed') throw new RefusalError(end.refusal);
      if (end.kind === 'searched') grade(tasks.indexOf(task));
    };
    const opened = new TreePool({
      servers: planned.map(({ servers }) => servers),
      slots: studyServers.slots,
      schedule,
      signal: stopping.signal,
      search: (at) => orStop(searchAt(at)),
    });
    pool = opened;
    await opened.run();
    await Promise.all(gradings);
    if (firstFailure !== null) throw firstFailure.error;
  };

  const run = async (): Promise<StudyEnd> => {
    const grader = orThrow(await deps.openGrader());
    await openSessions(grader);
    checkBenchmarks();
    const all = [...sessions.values()];
    const tasks = tasksOf(all).filter((task) => !isDone(task));
    if (tasks.length > 0) await workOn(tasks, grader);
    if (stopping.signal.aborted) return { kind: stoppedAs };
    for (const session of all) {
      if (!session.view().finished) await session.append({ kind: 'run-finished', at: deps.now() });
    }
    return { kind: 'finished' };
  };

  const ended = (async (): Promise<StudyEnd> => {
    let end: StudyEnd = { kind: stoppedAs };
    /** The first failure is the one that is shown; every step is tried all the same. */
    const attempt = async (step: () => Promise<void>): Promise<void> => {
      try {
        await step();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.code === 'internal') listeners.onBug(error);
        if (end.kind !== 'failed') end = { kind: 'failed', refusal };
        stopping.abort();
      }
    };
    await attempt(async () => {
      end = await run();
    });
    // Again: what made a start is recorded a moment after it, and a server may have been started again.
    const patience = new AbortController();
    await Promise.race([
      noteOrigins(),
      wait(ORIGINS_PATIENCE_MS, undefined, { signal: patience.signal, ref: false }),
    ]);
    patience.abort();
    await attempt(() => deps.servers.stopOwnedBy(study.id));
    closed = true;
    for (const session of sessions.values()) await attempt(() => session.close());
    return end;
  })();

  return {
    study,
    state: () => state,
    views: () => new Map([...sessions].map(([id, session]) => [id, session.view()])),
    waitsFor: () => servers?.waiting() ?? [],
    session: (runId) => (closed ? undefined : sessions.get(runId)),
    setParallel: (limit) => {
      parallel = limit;
      servers?.setParallel(limit);
    },
    stop: (as) => {
      // The app may close while it is cancelled.
      if (stoppedAs !== 'cancelled') stoppedAs = as;
      if (state.kind !== 'pausing') enter({ kind: 'pausing' });
      stopping.abort();
    },
    ended,
  };
}

/** What the study's state says about an error: a refusal, a full disk, or a bug. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof JournalWriteError) {
    return {
      code: 'unavailable',
      message: error.message,
      hint: 'Free disk space, then resume the study. Everything up to here is saved.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `The study stopped because of an internal error: ${message}` };
}
