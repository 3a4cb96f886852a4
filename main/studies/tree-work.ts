import type { Benchmark, Grade, Problem, RunEvent } from '../../preload/contract/index';
import type { Grader } from '../grading/index';
import { gradeNodes, type ScoreReward, searchTree, type TreeRunnerEnd } from '../search/index';
import { generateWith } from './generation';
import type { ServerDesk } from './server-desk';
import type { SlotGate } from './slot-gate';
import type { StudyProblems } from './study-problems';
import { StudyRefused } from './study-refused';
import { type TreeTask, treeOf } from './tree-tasks';

/** More private tests than this are not all run when one has failed: the verdict is the same. */
const FEW_TESTS = 64;
/** Candidates of one tree that wait for their private tests together. */
const GRADES_PER_TREE = 4;
/** Benchmarks whose published grader is wrong by accident: both readings are taken, so that the count is known. */
const WITH_TWO_READINGS: readonly Benchmark['rules'][] = ['livecodebench', 'mbpp'];

/** A grade is refused only because we stop; the search then drops the trial, as for any fault while stopping. */
const STOPPED: Grade = { verdict: 'sandbox-fault', results: [] };

/** What the work on trees needs; one for a whole study. */
export type TreeSurroundings = {
  readonly benchmarks: ReadonlyMap<string, Benchmark>;
  readonly problems: StudyProblems;
  readonly desk: ServerDesk;
  readonly grader: Grader;
  /**
   * Through which programs go to their private tests: as many at a time as run at once, so that public tests, for
   * which a model's slot waits, never stand behind more than these, and private ones always have their share.
   */
  readonly privateGate: SlotGate;
  /** By run. */
  readonly rewards: ReadonlyMap<string, ScoreReward>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly digest: (text: string) => string;
  readonly signal: AbortSignal;
};

/** Searches one tree, or what is left of it. `rank` and `onQueued`: see `generateWith`; `onTrial`: one is over. */
export async function searchOne(
  task: TreeTask,
  around: TreeSurroundings,
  tell: { readonly rank: () => number; readonly onQueued: () => void; readonly onTrial: () => void },
): Promise<TreeRunnerEnd> {
  const { session, problemId, part } = task;
  const { config } = session;
  const problem = await around.problems.withoutPrivateTests(config.benchmarkId, problemId);
  const tree = treeOf(task);
  const own = ownSignal(around.signal);
  const reward = around.rewards.get(config.id);
  try {
    return await searchTree({
      problem,
      part,
      config,
      recorded: tree === undefined ? [] : await session.journal.treeEvents(problemId, part),
      generate: generateWith({ config, desk: around.desk, ...tell, signal: own.signal }),
      grade: (program) => {
        const stopAtFirstFailure = config.search.score !== 'fraction';
        return gradeOn(
          task,
          problem,
          around,
          { tests: problem.publicTests, program, stopAtFirstFailure, bothReadings: false },
          own.signal,
        );
      },
      ...(reward === undefined ? {} : { reward }),
      record: async (event) => {
        await session.append(event);
        tell.onTrial();
      },
      digest: around.digest,
      now: around.now,
      sleep: around.sleep,
      stop: own.signal,
      giveUp: own.abort,
    });
  } finally {
    own.release();
  }
}

/** Runs the private tests of a searched tree's nodes, as far as they have not been run; `rank` as for a search. */
export async function gradeOne(task: TreeTask, around: TreeSurroundings, rank: number): Promise<void> {
  const { session, problemId, part } = task;
  const problem = await around.problems.whole(session.config.benchmarkId, problemId);
  const events: RunEvent[] = await session.journal.treeEvents(problemId, part);
  const stopAtFirstFailure = problem.privateTests.length > FEW_TESTS;
  const bothReadings = WITH_TWO_READINGS.includes(benchmarkOf(task, around).rules);
  await gradeNodes({
    problemId,
    part,
    events,
    grade: async (program) => {
      const leave = await around.privateGate.enter(() => rank, around.signal);
      if (leave === null) return STOPPED;
      const what = { tests: problem.privateTests, program, stopAtFirstFailure, bothReadings };
      return gradeOn(task, problem, around, what, around.signal).finally(leave);
    },
    record: session.append,
    now: around.now,
    stop: around.signal,
    parallel: GRADES_PER_TREE,
  });
}

function benchmarkOf({ session }: TreeTask, { benchmarks }: TreeSurroundings): Benchmark {
  const benchmark = benchmarks.get(session.config.benchmarkId);
  if (benchmark === undefined) throw new Error(`No benchmark ${session.config.benchmarkId}`);
  return benchmark;
}

async function gradeOn(
  task: TreeTask,
  { entryPoint }: Problem,
  around: TreeSurroundings,
  what: {
    readonly tests: Problem['publicTests'];
    readonly program: string;
    readonly stopAtFirstFailure: boolean;
    readonly bothReadings: boolean;
  },
  signal: AbortSignal,
): Promise<Grade> {
  const { limits, rules } = benchmarkOf(task, around);
  const reading = task.session.config.search.grading;
  const graded = await around.grader.grade({ ...what, entryPoint, limits, rules, reading }, signal);
  const health = around.grader.health();
  // A fault of one program is a verdict; a sandbox that judges wrongly must not write another one.
  if (health.kind === 'broken' && !signal.aborted) {
    throw new StudyRefused({
      code: 'unavailable',
      message: health.message,
      hint: 'Mend it, then resume the study: every grade up to here was made by a good sandbox.',
    });
  }
  return graded.ok ? graded.value : STOPPED;
}

/** A signal of one tree, which ends with the study's. `AbortSignal.any` would stay with the study's until its end. */
function ownSignal(study: AbortSignal): {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  readonly release: () => void;
} {
  const own = new AbortController();
  const abort = (): void => own.abort();
  if (study.aborted) abort();
  study.addEventListener('abort', abort, { once: true });
  return { signal: own.signal, abort, release: () => study.removeEventListener('abort', abort) };
}
