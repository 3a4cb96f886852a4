import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Grade, Refusal, TestResult } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type Attempt, attemptGrade } from './attempt';
import { GradeMemo } from './grade-memo';
import type { GradeRequest, Grader } from './grader';
import type { Launcher } from './launcher';
import { gradeOf, resultWithoutRun } from './logic/judge';
import { type LauncherOptions, openLauncher } from './open-launcher';
import { RunnerPool } from './runner-pool';
import { Slots } from './slots';

export type SandboxGraderOptions = LauncherOptions & {
  /** Candidates at a time; all processor cores when left out. */
  readonly concurrency?: number;
};

/** Before the second and the third attempt: what made a sandbox fail (a full process table) mostly passes. */
const PAUSES_MS = [0, 150, 600] as const;
const CANCELLED: Refusal = { code: 'cancelled', message: 'The grading was cancelled.' };

type Shared = {
  readonly answer: Promise<Result<Grade, Refusal>>;
  readonly controller: AbortController;
  waiters: number;
};

/** Opens the grader of this computer, or says why there is none and what to type. */
export async function openSandboxGrader(options: SandboxGraderOptions): Promise<Result<Grader, Refusal>> {
  const launcher = await openLauncher(options);
  return launcher.ok ? ok(graderOver(launcher.value, options.concurrency)) : launcher;
}

/** A grader whose runners come from this launcher, which it then owns. */
export function graderOver(launcher: Launcher, candidatesAtATime = availableParallelism()): Grader {
  const concurrency = Math.max(1, candidatesAtATime);
  const pool = new RunnerPool(launcher, concurrency);
  const slots = new Slots(concurrency);
  const memo = new GradeMemo();
  const shared = new Map<string, Shared>();
  const under = new AbortController();
  let graded = 0;
  let faults = 0;

  const gradeOnce = async (request: GradeRequest, program: string, signal: AbortSignal): Promise<Attempt> => {
    let runner: Awaited<ReturnType<RunnerPool['take']>>;
    try {
      runner = await pool.take();
    } catch (error) {
      return { kind: 'broken', reason: String(error), during: null, results: [] };
    }
    const stop = () => pool.end(runner);
    let isDone = false;
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      const attempt = await attemptGrade(runner, request, program);
      isDone = attempt.kind === 'done';
      return attempt;
    } finally {
      signal.removeEventListener('abort', stop);
      if (isDone) pool.giveBack(runner);
      else pool.end(runner);
    }
  };

  const gradeFresh = async (request: GradeRequest, program: string, signal: AbortSignal) => {
    const broken: Extract<Attempt, { kind: 'broken' }>[] = [];
    for (const pauseMs of PAUSES_MS) {
      await pause(pauseMs);
      if (signal.aborted) return failed(CANCELLED);
      const attempt = await gradeOnce(request, program, signal);
      if (signal.aborted) return failed(CANCELLED);
      if (attempt.kind === 'done') {
        graded += 1;
        return ok(gradeOf(attempt.results));
      }
      faults += 1;
      broken.push(attempt);
    }
    return ok(gradeOf(resultsOfBroken(request, broken)));
  };

  const start = (key: string, request: GradeRequest, program: string): Shared => {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, under.signal]);
    const answer = slots
      .run(() => gradeFresh(request, program, signal), signal)
      .then((result) => {
        if (shared.get(key)?.controller === controller) shared.delete(key);
        if (result?.ok && result.value.verdict !== 'sandbox-fault') memo.set(key, result.value);
        return result ?? failed(CANCELLED);
      });
    const entry = { answer, controller, waiters: 0 };
    shared.set(key, entry);
    return entry;
  };

  const leave = (key: string, entry: Shared): void => {
    entry.waiters -= 1;
    if (entry.waiters > 0) return;
    // Nobody waits any more; an equal request that comes later must not find the cancelled one.
    if (shared.get(key) === entry) shared.delete(key);
    entry.controller.abort();
  };

  return {
    isolation: launcher.kind === 'bare' ? 'none' : 'sandbox',
    python: launcher.python,
    grade: async (request, signal) => {
      if (signal?.aborted || under.signal.aborted) return failed(CANCELLED);
      const { program } = request;
      if (program === null || program.trim() === '') return ok(gradeWithoutCode(request));
      const key = memo.keyOf(request);
      const known = memo.get(key);
      if (known !== null) return ok(known);
      const entry = shared.get(key) ?? start(key, request, program);
      entry.waiters += 1;
      return orCancelled(entry.answer, signal, () => leave(key, entry));
    },
    statistics: () => ({ queued: slots.queued, running: slots.running, graded, faults }),
    dispose: async () => {
      under.abort();
      await pool.dispose();
      await Promise.all([...shared.values()].map((entry) => entry.answer));
    },
  };
}

/** The grade of an answer in which no program was found. */
function gradeWithoutCode(request: GradeRequest): Grade {
  const results = request.tests.map(() => resultWithoutRun('no-code', null));
  return { verdict: 'no-code', results: request.stopAtFirstFailure ? results.slice(0, 1) : results };
}

/**
 * A runner that falls silent at the same test each time was silenced by the program; any other break is ours.
 * The tests that were not run share the result.
 */
function resultsOfBroken(
  request: GradeRequest,
  broken: readonly Extract<Attempt, { kind: 'broken' }>[],
): readonly TestResult[] {
  const last = broken.at(-1);
  const done = last?.results ?? [];
  const sameTest =
    last !== undefined && last.during !== null && broken.every((b) => b.during === last.during);
  const result = sameTest
    ? resultWithoutRun('runtime-error', 'The program ended the process that watched over it.')
    : resultWithoutRun('sandbox-fault', last?.reason ?? null);
  const missing = request.stopAtFirstFailure ? 1 : request.tests.length - done.length;
  return [...done, ...Array.from({ length: missing }, () => result)];
}

function orCancelled(
  answer: Promise<Result<Grade, Refusal>>,
  signal: AbortSignal | undefined,
  cancel: () => void,
): Promise<Result<Grade, Refusal>> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      resolve(failed(CANCELLED));
    };
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
