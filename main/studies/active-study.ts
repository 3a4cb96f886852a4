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
import { orThrow, RefusalError, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import type { RewardFunction } from '../search/index';
import type { ServerService } from '../servers/index';
import { JournalWriteError } from '../storage/index';
import type { StudyEnd, StudyStop } from './logic/next-action';
import type { PocketCheckpoints } from './pocket-checkpoints';
import type { PrioritySemaphore } from './priority-semaphore';
import { cachedProblems } from './problem-cache';
import { openRunSession, type RunSession } from './run-session';
import { searchAndGrade } from './search-and-grade';
import type { StudyFiles } from './study-files';
import { checkBenchmarks, modelFile, rewardModels } from './study-inputs';
import { recordOrigins } from './study-origins';
import { StudyServers } from './study-servers';
import type { TreePool } from './tree-pool';
import { isDone, isSearched, type TreeDeps, type TreeTask, tasksOf } from './tree-work';

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
  /**
   * Asks the work to stop; `ended` settles when it has. `keepsServers`: it continues at once, and they take minutes to
   * start.
   */
  readonly stop: (as: StudyStop, options?: { readonly keepsServers: boolean }) => void;
  readonly ended: Promise<StudyEnd>;
};

/** A machine that does not answer must not keep a study from ending. */
const ORIGINS_TIMEOUT_MS = 5_000;

type StartDeps = StudyDeps & {
  /** Slots for programs on their private tests, shared by all studies. */
  readonly privateTestSlots: PrioritySemaphore;
  /** See `ActiveStudy.setParallel`. */
  readonly parallel: number | null;
};

type StudyListeners = {
  readonly onState: (state: StudyState) => void;
  readonly onEvent: (runId: string, event: RunEvent) => void;
  /** An error of our own ends the study: the refusal has its message alone. */
  readonly onBug: (error: unknown) => void;
};

export function startStudy(study: Study, deps: StartDeps, listeners: StudyListeners): ActiveStudy {
  const stopping = new AbortController();
  // Every open request and candidate listens to it: many listeners are no leak here.
  setMaxListeners(0, stopping.signal);
  const sessions = new Map<string, RunSession>();
  let closed = false;
  let stoppedAs: StudyStop = 'paused';
  let keepsServers = false;
  let servers: StudyServers | null = null;
  let { parallel } = deps;
  let noting: Promise<void> = Promise.resolve();
  let state: StudyState = { kind: 'preparing', step: 'opening journals' };
  const enter = (next: StudyState): void => {
    state = next;
    listeners.onState(next);
  };

  /** The search does not wait for it, and does without it. */
  const noteOrigins = (): Promise<void> => {
    const used = servers?.used() ?? [];
    noting = noting
      .then(() => recordOrigins(study.id, used, deps))
      .catch((error: unknown) => listeners.onBug(error));
    return noting;
  };

  const onStep = (step: string): void => enter({ kind: 'preparing', step });
  /** A server may be started again during the search. */
  const onPretraining = (family: string): void => {
    if (state.kind === 'preparing') onStep(`preparing the pocket policy ${family}`);
  };
  /** Searches trees and runs private tests side by side; neither waits for the other. */
  const workOn = async (tasks: readonly TreeTask[], grader: Grader): Promise<void> => {
    const toSearch = tasks.filter((task) => !isSearched(task));
    let pool: TreePool | null = null;
    const studyServers = new StudyServers({
      servers: deps.servers,
      modelFile: (spec) => modelFile(spec, deps, stopping.signal, onPretraining),
      studyId: study.id,
      signal: stopping.signal,
      parallel,
      onRelease: () => pool?.pump(),
    });
    servers = studyServers;
    orThrow(await studyServers.start(serversOf(toSearch), onStep));
    void noteOrigins();
    const rewards =
      toSearch.length === 0 ? new Map() : await rewardModels(study, deps.rewardOf, stopping.signal, onStep);
    const treeDeps = treeDepsOf(deps, { servers: studyServers, grader, rewards, signal: stopping.signal });
    if (stopping.signal.aborted) return;
    enter({ kind: 'running' });

    await searchAndGrade(tasks, treeDeps, {
      stop: () => stopping.abort(),
      onPool: (opened) => {
        pool = opened;
      },
    });
  };

  const run = async (): Promise<StudyEnd> => {
    const grader = orThrow(await deps.openGrader());
    await openSessions(sessions, study, { deps, grader, onEvent: listeners.onEvent });
    checkBenchmarks(study, deps.library);
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
    await waitAtMost(ORIGINS_TIMEOUT_MS, noteOrigins());
    if (!keepsServers) await attempt(() => deps.servers.stopOwnedBy(study.id));
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
    stop: (as, options) => {
      // The app may close while it is cancelled.
      if (stoppedAs !== 'cancelled') stoppedAs = as;
      keepsServers = options?.keepsServers ?? false;
      if (state.kind !== 'pausing') enter({ kind: 'pausing' });
      stopping.abort();
    },
    ended,
  };
}

/** Adds each as it is opened: one that cannot be opened leaves those before it to be closed. */
async function openSessions(
  sessions: Map<string, RunSession>,
  study: Study,
  options: {
    readonly deps: StudyDeps;
    readonly grader: Grader;
    readonly onEvent: StudyListeners['onEvent'];
  },
): Promise<void> {
  const { deps, grader } = options;
  const { appVersion, now } = deps;
  for (const config of study.runs) {
    const path = deps.files.journal(study.id, config.id);
    const onEvent = (event: RunEvent): void => options.onEvent(config.id, event);
    sessions.set(
      config.id,
      orThrow(await openRunSession({ path, config, study, appVersion, grader, now, onEvent })),
    );
  }
}

function treeDepsOf(
  { library, privateTestSlots, now, sleep, digest }: StartDeps,
  opened: Pick<TreeDeps, 'servers' | 'grader' | 'rewards' | 'signal'>,
): TreeDeps {
  const benchmarks = library.list().map((benchmark): [string, Benchmark] => [benchmark.id, benchmark]);
  return {
    ...{ privateTestSlots, now, sleep, digest },
    ...opened,
    problems: cachedProblems(library),
    benchmarks: new Map(benchmarks),
  };
}

function serversOf(tasks: readonly TreeTask[]): ServerSpec[] {
  const configs = new Set(tasks.map(({ session }) => session.config));
  return [...configs].flatMap(({ team }) => team.servers);
}

async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(ms, undefined, { signal: timer.signal, ref: false })]);
  timer.abort();
}

/** The text of an error in the study's state: a refusal, a full disk, or a bug. */
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
