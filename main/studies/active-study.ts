import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import type {
  Benchmark,
  Refusal,
  RewardModel,
  RunEvent,
  RunView,
  ServerSpec,
  Study,
  StudyState,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import type { ScoreReward } from '../search/index';
import type { ServerService } from '../servers/index';
import { TreeSchedule } from './logic/tree-schedule';
import { OpenTrees } from './open-trees';
import type { PocketCheckpoints } from './pocket-checkpoints';
import { openRunSession, type RunSession } from './run-session';
import { ServerDesk } from './server-desk';
import { SlotGate } from './slot-gate';
import type { StudyFiles } from './study-files';
import { StudyProblems } from './study-problems';
import { refusalOf, StudyRefused, valueOrRefuse } from './study-refused';
import { isDone, isSearched, plannedTree, type TreeTask, tasksOf } from './tree-tasks';
import { gradeOne, searchOne, type TreeSurroundings } from './tree-work';
import { WorkQueue } from './work-queue';

export type StudyEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** What a running study needs of the rest of the workbench. */
export type StudySurroundings = {
  readonly appVersion: string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** First 16 hex digits of a text's SHA-256. */
  readonly digest: (text: string) => string;
  readonly openGrader: () => Promise<Result<Grader, Refusal>>;
  readonly library: BenchmarkLibrary;
  readonly servers: ServerService;
  readonly checkpoints: PocketCheckpoints;
  readonly files: StudyFiles;
  /** Makes a reward model ready, or says why there is none. */
  readonly rewardOf: (model: RewardModel, signal: AbortSignal) => Promise<Result<ScoreReward, Refusal>>;
};

export type ActiveStudy = {
  readonly study: Study;
  readonly state: () => StudyState;
  readonly views: () => ReadonlyMap<string, RunView>;
  /** Servers that could not be reached and are waited for now. */
  readonly waitsFor: () => readonly ServerSpec[];
  /** Not there before its journal is open and after it is closed. */
  readonly session: (runId: string) => RunSession | undefined;
  /** Asks the work to stop; `ended` settles when it has. */
  readonly stop: () => void;
  readonly ended: Promise<StudyEnd>;
};

/** Searched trees whose private tests run side by side: more than one, so that the last program of a tree idles nobody. */
const GRADED_TOGETHER = 3;

export function startStudy(
  study: Study,
  around: StudySurroundings,
  tell: {
    readonly state: (state: StudyState) => void;
    readonly event: (runId: string, event: RunEvent) => void;
  },
): ActiveStudy {
  const stopping = new AbortController();
  // Every request and every candidate under way listens to it: many listeners are no leak here.
  setMaxListeners(0, stopping.signal);
  const sessions = new Map<string, RunSession>();
  let closed = false;
  let servers: ServerDesk | null = null;
  let firstFailure: { readonly error: unknown } | null = null;
  let state: StudyState = { kind: 'preparing', step: 'opening journals' };
  const enter = (next: StudyState): void => {
    state = next;
    tell.state(next);
  };

  const checkBenchmarks = (): void => {
    for (const run of study.runs) {
      const benchmark = around.library.list().find(({ id }) => id === run.benchmarkId);
      if (benchmark?.digest === run.benchmarkDigest) continue;
      throw new StudyRefused({
        code: 'conflict',
        message: `The benchmark ${run.benchmarkId} ${benchmark === undefined ? 'is not in the library' : 'is not the one that this study was begun with'}.`,
        hint:
          run.scale === 'pocket'
            ? 'Starting a quickstart study makes its benchmark again; then this one can go on.'
            : 'Import the same file again, or start the study anew.',
      });
    }
  };

  const openSessions = async (grader: Grader): Promise<void> => {
    for (const config of study.runs) {
      const path = around.files.journal(study.id, config.id);
      const { appVersion, now } = around;
      const onEvent = (event: RunEvent): void => tell.event(config.id, event);
      sessions.set(
        config.id,
        valueOrRefuse(await openRunSession({ path, config, appVersion, grader, now, onEvent })),
      );
    }
  };

  const modelFile = async (spec: ServerSpec): Promise<Result<string | null, Refusal>> => {
    if (spec.kind === 'recorded') return around.library.recordingPath(spec.recordingId);
    if (spec.kind !== 'pocket') return ok(null);
    if (spec.trained !== undefined) return around.checkpoints.trained(spec.trained);
    if (state.kind === 'preparing') {
      enter({ kind: 'preparing', step: `pre-training the pocket policy ${spec.family}` });
    }
    return around.checkpoints.ensure(spec.family, spec.checkpointSeed, stopping.signal);
  };

  const rewardModels = async (): Promise<Map<string, ScoreReward>> => {
    const made = new Map<string, ScoreReward>();
    const rewards = new Map<string, ScoreReward>();
    for (const { id, search } of study.runs) {
      if (search.rewardModel === null) continue;
      enter({ kind: 'preparing', step: 'making the reward model ready' });
      const key = JSON.stringify(search.rewardModel.source);
      const reward =
        made.get(key) ?? valueOrRefuse(await around.rewardOf(search.rewardModel, stopping.signal));
      made.set(key, reward);
      rewards.set(id, reward);
    }
    return rewards;
  };

  /** Generations and private tests go on side by side; neither waits for the other. */
  const workOn = async (tasks: readonly TreeTask[], grader: Grader): Promise<void> => {
    const toSearch = tasks.filter((task) => !isSearched(task));
    let trees: OpenTrees | null = null;
    const desk = new ServerDesk({
      servers: around.servers,
      modelFile,
      studyId: study.id,
      signal: stopping.signal,
      onRoom: () => trees?.pump(),
    });
    servers = desk;
    const specs = new Set(toSearch.map(({ session }) => session.config)).values();
    const steps = (step: string): void => enter({ kind: 'preparing', step });
    valueOrRefuse(
      await desk.start(
        [...specs].flatMap(({ team }) => team.servers),
        steps,
      ),
    );
    const treeAround: TreeSurroundings = {
      problems: new StudyProblems(around.library),
      benchmarks: new Map(
        around.library.list().map((benchmark): [string, Benchmark] => [benchmark.id, benchmark]),
      ),
      desk,
      grader,
      privateGate: new SlotGate(availableParallelism()),
      rewards: toSearch.length === 0 ? new Map() : await rewardModels(),
      now: around.now,
      sleep: around.sleep,
      digest: around.digest,
      signal: stopping.signal,
    };
    if (stopping.signal.aborted) return;
    enter({ kind: 'running' });

    /** The first failure ends all work at once: what is under way is lost, everything recorded is kept. */
    const orStop = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        firstFailure ??= { error };
        stopping.abort();
      });
    const grading = new WorkQueue(GRADED_TOGETHER, stopping.signal, (at) =>
      orStop(gradeOne(tasks[at] as TreeTask, treeAround, at)),
    );
    for (const [at, task] of tasks.entries()) if (isSearched(task)) grading.add(at);
    const planned = toSearch.map(plannedTree);
    const slots = new Map([...desk.gates].map(([name, gate]) => [name, gate.limit]));
    const schedule = new TreeSchedule(planned, slots);
    const searchAt = async (at: number): Promise<void> => {
      const task = toSearch[at] as TreeTask;
      const end = await searchOne(task, treeAround, {
        rank: () => schedule.rank(at),
        onQueued: () => opened.heard(at),
        onTrial: () => schedule.stepped(at),
      });
      if (end.kind === 'failed') throw new StudyRefused(end.refusal);
      if (end.kind === 'searched') grading.add(tasks.indexOf(task));
    };
    const opened = new OpenTrees({
      servers: planned.map(({ servers }) => servers),
      gates: desk.gates,
      schedule,
      signal: stopping.signal,
      search: (at) => orStop(searchAt(at)),
    });
    trees = opened;
    await opened.run();
    await grading.finish();
    if (firstFailure !== null) throw firstFailure.error;
  };

  const run = async (): Promise<StudyEnd> => {
    const grader = valueOrRefuse(await around.openGrader());
    await openSessions(grader);
    checkBenchmarks();
    const all = [...sessions.values()];
    const tasks = tasksOf(all).filter((task) => !isDone(task));
    if (tasks.length > 0) await workOn(tasks, grader);
    if (stopping.signal.aborted) return { kind: 'stopped' };
    for (const session of all) {
      if (!session.view().finished) await session.append({ kind: 'run-finished', at: around.now() });
    }
    return { kind: 'finished' };
  };

  const ended = (async (): Promise<StudyEnd> => {
    let end: StudyEnd;
    try {
      end = await run();
    } catch (error) {
      end = { kind: 'failed', refusal: refusalOf(error) };
      stopping.abort();
    }
    await around.servers.stopOwnedBy(study.id);
    closed = true;
    for (const session of sessions.values()) await session.close().catch(() => undefined);
    return end;
  })();

  return {
    study,
    state: () => state,
    views: () => new Map([...sessions].map(([id, session]) => [id, session.view()])),
    waitsFor: () => servers?.waiting() ?? [],
    session: (runId) => (closed ? undefined : sessions.get(runId)),
    stop: () => {
      if (state.kind !== 'pausing') enter({ kind: 'pausing' });
      stopping.abort();
    },
    ended,
  };
}
