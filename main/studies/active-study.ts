import { setMaxListeners } from 'node:events';
import type {
  Grade,
  GradingLimits,
  Problem,
  Refusal,
  RunConfig,
  RunEvent,
  RunView,
  ServerSpec,
  Study,
  StudyState,
  TreePart,
} from '../../preload/contract/index';
import { treeKey } from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import { gradeNodes, searchTree } from '../search/index';
import type { RunningServer, ServerService } from '../servers/index';
import { JournalWriteError } from '../store/index';
import { generateWith } from './generation';
import type { PocketCheckpoints } from './pocket-checkpoints';
import { openRunSession, type RunSession } from './run-session';
import type { StudyFiles } from './study-files';
import { workThrough } from './work-queue';

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
};

export type ActiveStudy = {
  readonly study: Study;
  readonly state: () => StudyState;
  readonly views: () => ReadonlyMap<string, RunView>;
  /** Not there before its journal is open and after it is closed. */
  readonly session: (runId: string) => RunSession | undefined;
  /** Asks the work to stop; `ended` settles when it has. */
  readonly stop: () => void;
  readonly ended: Promise<StudyEnd>;
};

type Task = { readonly session: RunSession; readonly problem: Problem; readonly part: TreePart };

/** More private tests than this are not all run when one has failed: the verdict is the same. */
const FEW_TESTS = 64;
/** Candidates of one tree that wait for the sandbox together; the grader itself bounds what runs. */
const GRADES_PER_TREE = 4;

class StudyRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

function valueOrRefuse<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new StudyRefused(result.error);
  return result.value;
}

/** The first failure is kept; a full disk or a bug is told as what it is. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof StudyRefused) return error.refusal;
  if (error instanceof JournalWriteError) {
    return {
      code: 'unavailable',
      message: error.message,
      hint: 'Make room on the disk, then resume the study: everything up to here is kept.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `The study stopped on an error of the workbench: ${message}` };
}

/** Problem by problem over all runs, so that whatever is done so far compares like with like. */
function tasksOf(sessions: readonly RunSession[], problems: ReadonlyMap<string, Problem>): Task[] {
  const longest = Math.max(...sessions.map((session) => session.config.problemIds.length));
  const tasks: Task[] = [];
  for (let i = 0; i < longest; i++) {
    for (const session of sessions) {
      const problemId = session.config.problemIds[i];
      const problem =
        problemId === undefined ? undefined : problems.get(`${session.config.benchmarkId} ${problemId}`);
      if (problem === undefined) continue;
      tasks.push({ session, problem, part: 'search' });
      if (session.config.search.samplesPerAgent > 0) tasks.push({ session, problem, part: 'samples' });
    }
  }
  return tasks;
}

function needsWork({ session, problem, part }: Task): boolean {
  const tree = session.view().trees.get(treeKey(problem.id, part));
  return tree === undefined || tree.searched === null || tree.graded < tree.nodes.length;
}

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
  let state: StudyState = { kind: 'preparing', step: 'opening journals' };
  const enter = (next: StudyState): void => {
    state = next;
    tell.state(next);
  };

  const readProblems = async (): Promise<Map<string, Problem>> => {
    const problems = new Map<string, Problem>();
    for (const run of study.runs) {
      const benchmark = around.library.list().find(({ id }) => id === run.benchmarkId);
      if (benchmark?.digest !== run.benchmarkDigest) {
        throw new StudyRefused({
          code: 'conflict',
          message: `The benchmark ${run.benchmarkId} ${benchmark === undefined ? 'is not in the library' : 'is not the one that this study was begun with'}.`,
          hint:
            run.scale === 'pocket'
              ? 'Starting a quickstart study makes its benchmark again; then this one can go on.'
              : 'Import the same file again, or start the study anew.',
        });
      }
      for (const problem of valueOrRefuse(await around.library.problems(run.benchmarkId))) {
        problems.set(`${run.benchmarkId} ${problem.id}`, problem);
      }
    }
    return problems;
  };

  const openSessions = async (): Promise<void> => {
    for (const config of study.runs) {
      const path = around.files.journal(study.id, config.id);
      const { appVersion, now } = around;
      const onEvent = (event: RunEvent): void => tell.event(config.id, event);
      sessions.set(
        config.id,
        valueOrRefuse(await openRunSession({ path, config, appVersion, now, onEvent })),
      );
    }
  };

  const startServers = async (runs: readonly RunConfig[]): Promise<Map<string, RunningServer>> => {
    const running = new Map<string, RunningServer>();
    for (const spec of runs.flatMap((run) => run.team.servers)) {
      const key = JSON.stringify(spec);
      if (running.has(key) || stopping.signal.aborted) continue;
      const file = valueOrRefuse(await modelFile(spec));
      enter({ kind: 'preparing', step: `starting ${spec.model}` });
      running.set(key, valueOrRefuse(await around.servers.ensure(spec, file, study.id)));
    }
    return running;
  };

  const modelFile = async (spec: ServerSpec): Promise<Result<string | null, Refusal>> => {
    if (spec.kind === 'recorded') return around.library.recordingPath(spec.recordingId);
    if (spec.kind !== 'pocket') return ok(null);
    enter({ kind: 'preparing', step: `pre-training the pocket policy ${spec.family}` });
    return around.checkpoints.ensure(spec.family, spec.checkpointSeed, stopping.signal);
  };

  const doTask = async (
    task: Task,
    servers: ReadonlyMap<string, RunningServer>,
    grader: Grader,
    limits: ReadonlyMap<string, GradingLimits>,
  ): Promise<Refusal | null> => {
    const { session, problem, part } = task;
    const { config } = session;
    const testLimits = limits.get(config.benchmarkId);
    if (testLimits === undefined) throw new Error(`No limits for ${config.benchmarkId}`);
    const grade = async (tests: Problem['publicTests'], program: string, all: boolean): Promise<Grade> => {
      const { entryPoint } = problem;
      const graded = await grader.grade(
        { program, entryPoint, tests, limits: testLimits, stopAtFirstFailure: !all },
        stopping.signal,
      );
      // Refused only because we stop; the search then drops the trial, as it does for any fault while stopping.
      return graded.ok ? graded.value : { verdict: 'sandbox-fault', results: [] };
    };
    const same = { part, record: session.append, now: around.now, stop: stopping.signal };
    const treeEvents = (): Promise<RunEvent[]> => session.journal.treeEvents(problem.id, part);
    const tree = session.view().trees.get(treeKey(problem.id, part));
    if (tree === undefined || tree.searched === null) {
      const end = await searchTree({
        ...same,
        problem,
        config,
        recorded: tree === undefined ? [] : await treeEvents(),
        generate: generateWith(config, servers, stopping.signal),
        grade: (program) => grade(problem.publicTests, program, config.search.score === 'fraction'),
        digest: around.digest,
        sleep: around.sleep,
      });
      if (end.kind === 'failed') return end.refusal;
      if (end.kind === 'stopped') return null;
    }
    await gradeNodes({
      ...same,
      problemId: problem.id,
      events: await treeEvents(),
      grade: (program) => grade(problem.privateTests, program, problem.privateTests.length <= FEW_TESTS),
      parallel: GRADES_PER_TREE,
    });
    return null;
  };

  const run = async (): Promise<StudyEnd> => {
    const grader = valueOrRefuse(await around.openGrader());
    await openSessions();
    const problems = await readProblems();
    const all = [...sessions.values()];
    const tasks = tasksOf(all, problems).filter(needsWork);
    if (tasks.length > 0) {
      const unfinished = study.runs.filter((config) => tasks.some((task) => task.session.config === config));
      const servers = await startServers(unfinished);
      if (stopping.signal.aborted) return { kind: 'stopped' };
      enter({ kind: 'running' });
      const limits = new Map(around.library.list().map((benchmark) => [benchmark.id, benchmark.limits]));
      const slots = [...servers.keys()].reduce(
        (sum, key) => sum + (JSON.parse(key) as ServerSpec).maxInFlight,
        0,
      );
      const refusal = await workThrough(tasks, Math.max(4, slots), stopping.signal, (task) =>
        doTask(task, servers, grader, limits),
      );
      if (refusal !== null) return { kind: 'failed', refusal };
      if (stopping.signal.aborted) return { kind: 'stopped' };
    }
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
    session: (runId) => (closed ? undefined : sessions.get(runId)),
    stop: () => {
      if (state.kind !== 'pausing') enter({ kind: 'pausing' });
      stopping.abort();
    },
    ended,
  };
}
