import {
  type Benchmark,
  type Grade,
  type Problem,
  type RunEvent,
  type TreePart,
  type TreeView,
  treeKey,
} from '../../preload/contract/index';
import { orThrow, RefusalError } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import { gradeNodes, type RewardFunction, searchTree, type TreeRunnerEnd } from '../search/index';
import { generateWith } from './generation';
import type { PlannedTree } from './logic/tree-schedule';
import type { PrioritySemaphore } from './priority-semaphore';
import type { RunSession } from './run-session';
import { type StudyServers, serverKey } from './study-servers';

/** With more private tests than this, grading stops at the first failure: the verdict is the same. */
const RUN_ALL_UP_TO = 64;
/** Candidates of one tree that queue for their private tests together: the grader is quicker with many at once. */
const GRADES_PER_TREE = 16;
/** Rules whose published grader has known bugs: graded in both modes, to show the difference. */
export const TWO_MODES: readonly Benchmark['rules'][] = ['livecodebench', 'mbpp'];

/** The grader refuses only while we stop; the search then drops the trial, as for any fault while stopping. */
const STOPPED: Grade = { verdict: 'sandbox-fault', results: [] };

/** One tree of one run. */
export type TreeTask = { readonly session: RunSession; readonly problemId: string; readonly part: TreePart };

/** Problem by problem over all runs, so that interim results compare the same problems. */
export function tasksOf(sessions: readonly RunSession[]): TreeTask[] {
  const longest = Math.max(...sessions.map((session) => session.config.problemIds.length));
  const tasks: TreeTask[] = [];
  for (let i = 0; i < longest; i++) {
    for (const session of sessions) {
      const problemId = session.config.problemIds[i];
      if (problemId === undefined) continue;
      tasks.push({ session, problemId, part: 'search' });
      if (session.config.search.samplesPerAgent > 0) tasks.push({ session, problemId, part: 'samples' });
    }
  }
  return tasks;
}

function treeOf({ session, problemId, part }: TreeTask): TreeView | undefined {
  return session.view().trees.get(treeKey(problemId, part));
}

export function isSearched(task: TreeTask): boolean {
  const tree = treeOf(task);
  return tree !== undefined && tree.searched !== null;
}

export function isDone(task: TreeTask): boolean {
  const tree = treeOf(task);
  return tree !== undefined && tree.searched !== null && tree.graded === tree.nodes.length;
}

/** The work that is left in a tree, for the schedule. Early ends are not predicted. */
export function plannedTree(task: TreeTask): PlannedTree {
  const { search, team } = task.session.config;
  const nodes = task.part === 'search' ? search.nodes : search.samplesPerAgent * team.agents.length;
  const used = new Set(team.agents.map(({ serverId }) => serverId));
  return {
    servers: team.servers.filter(({ id }) => used.has(id)).map(serverKey),
    trials: nodes - (treeOf(task)?.nodes.length ?? 0),
    width: search.batch,
  };
}

/** The collaborators for work on trees; one object per study. */
export type TreeDeps = {
  readonly benchmarks: ReadonlyMap<string, Benchmark>;
  readonly problems: BenchmarkLibrary['problem'];
  readonly servers: StudyServers;
  readonly grader: Grader;
  /** Slots for programs on their private tests: a public test is never queued behind more of them than these. */
  readonly privateTestSlots: PrioritySemaphore;
  /** By run. */
  readonly rewards: ReadonlyMap<string, RewardFunction>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly digest: (text: string) => string;
  readonly signal: AbortSignal;
};

/**
 * Searches one tree, or what is left of it. `rank` and `onQueued`: see `generateWith`; `onTrial`: a trial has ended.
 */
export async function searchTask(
  task: TreeTask,
  deps: TreeDeps,
  options: { readonly rank: () => number; readonly onQueued: () => void; readonly onTrial: () => void },
): Promise<TreeRunnerEnd> {
  const { session, problemId, part } = task;
  const { config } = session;
  // The search must never have the private tests.
  const problem = { ...orThrow(await deps.problems(config.benchmarkId, problemId)), privateTests: [] };
  const tree = treeOf(task);
  const own = ownSignal(deps.signal);
  const reward = deps.rewards.get(config.id);
  try {
    return await searchTree({
      problem,
      part,
      config,
      recorded: tree === undefined ? [] : await session.journal.treeEvents(problemId, part),
      generate: generateWith({ config, servers: deps.servers, ...options, signal: own.signal }),
      grade: (program) => {
        const stopAtFirstFailure = config.search.score !== 'fraction';
        return gradeOn(
          task,
          problem,
          deps,
          { tests: problem.publicTests, program, stopAtFirstFailure, bothModes: false },
          own.signal,
        );
      },
      ...(reward === undefined ? {} : { reward }),
      record: async (event) => {
        await session.append(event);
        options.onTrial();
      },
      digest: deps.digest,
      now: deps.now,
      sleep: deps.sleep,
      stop: own.signal,
      abandonRunning: own.abort,
    });
  } finally {
    own.release();
  }
}

/** Runs the private tests of a searched tree's nodes that have not been graded yet; `rank` as for a search. */
export async function gradeTask(task: TreeTask, deps: TreeDeps, rank: number): Promise<void> {
  const { session, problemId, part } = task;
  const problem = orThrow(await deps.problems(session.config.benchmarkId, problemId));
  // What lies behind a limit that was lowered does not count.
  const counted = treeOf(task)?.nodes.length ?? 0;
  const all: RunEvent[] = await session.journal.treeEvents(problemId, part);
  const events = all.filter((event) => !('index' in event) || event.index < counted);
  const stopAtFirstFailure = problem.privateTests.length > RUN_ALL_UP_TO;
  const bothModes = TWO_MODES.includes(benchmarkOf(task, deps).rules);
  await gradeNodes({
    problemId,
    part,
    events,
    grade: async (program) => {
      const release = await deps.privateTestSlots.acquire(() => rank, deps.signal);
      if (release === null) return STOPPED;
      const request = {
        tests: problem.privateTests,
        program,
        stopAtFirstFailure,
        bothModes,
        stopAtTimeLimit: true,
        isBatch: true,
      };
      return gradeOn(task, problem, deps, request, deps.signal).finally(release);
    },
    record: session.append,
    now: deps.now,
    stop: deps.signal,
    parallel: GRADES_PER_TREE,
  });
}

function benchmarkOf({ session }: TreeTask, { benchmarks }: TreeDeps): Benchmark {
  const benchmark = benchmarks.get(session.config.benchmarkId);
  if (benchmark === undefined) throw new Error(`No benchmark ${session.config.benchmarkId}`);
  return benchmark;
}

async function gradeOn(
  task: TreeTask,
  { entryPoint }: Problem,
  deps: TreeDeps,
  request: {
    readonly tests: Problem['publicTests'];
    readonly program: string;
    readonly stopAtFirstFailure: boolean;
    readonly bothModes: boolean;
    readonly stopAtTimeLimit?: boolean;
    readonly isBatch?: boolean;
  },
  signal: AbortSignal,
): Promise<Grade> {
  const { limits, rules } = benchmarkOf(task, deps);
  const mode = task.session.config.search.grading;
  const graded = await deps.grader.grade({ ...request, entryPoint, limits, rules, mode }, signal);
  const health = deps.grader.health();
  // A fault of one program is a verdict; a sandbox that gives wrong verdicts must not record another one.
  if (health.kind === 'broken' && !signal.aborted) {
    throw new RefusalError({
      code: 'unavailable',
      message: health.message,
      hint: 'Fix the sandbox, then resume the study. All grades so far were made while it worked.',
    });
  }
  return graded.ok ? graded.value : STOPPED;
}

/**
 * A signal of one tree that follows the study's. `AbortSignal.any` would stay registered there until the study ends.
 */
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
