import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Grade, Refusal, TestCase, TestResult } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Machine } from '../machines';
import { type Attempt, attemptGrade, type Spent, scheduleOf } from './attempt';
import { gradeInBothReadings } from './both-readings';
import { type Calibration, cpuFactorOf, type MeasureCpu, stretched } from './calibration';
import { Canary } from './canary';
import { type CommonWork, commonWorkOf } from './common-frames';
import { CommonLane } from './common-lane';
import type { GradeRequest, Grader, GraderHealth } from './grader';
import type { Launcher } from './launcher';
import { gradeOf, resultWithoutRun } from './logic/judge';
import type { ReferenceRun } from './logic/judge-reference';
import { type RunnerWork, runnerWork } from './logic/runner-work';
import type { TestSchedule } from './logic/test-schedule';
import { machineLauncher } from './machine-launcher';
import { type LauncherOptions, openLauncher } from './open-launcher';
import { ReferenceRuns } from './reference-runs';
import { RunnerPool } from './runner-pool';
import { CANCELLED, SharedGrades } from './shared-grades';
import { Slots } from './slots';

export type SandboxGraderOptions = LauncherOptions & {
  /** Where candidates run; this computer when left out. */
  readonly machine?: Machine;
  /** Candidates at a time; all processor cores when left out. */
  readonly concurrency?: number;
  /** false: every candidate has a process of its own, harmless ones too. */
  readonly harmlessTogether?: boolean;
  /** Where the factor of this machine is kept; measured at each opening when left out. */
  readonly calibration?: Calibration;
};

/** Before the second and the third attempt: what made a sandbox fail (a full process table) mostly passes. */
const PAUSES_MS = [0, 150, 600] as const;

/** A sandbox of the common process ends after so many candidates; the process itself much sooner. */
const MOST_TOGETHER_IN_A_SANDBOX = 20_000;

/** Results of the first tests of a candidate, for each what it asked for. */
type Begun = readonly (readonly TestResult[])[];

/** Opens the grader of this computer or of a machine, or says why there is none and what to type. */
export async function openSandboxGrader(options: SandboxGraderOptions): Promise<Result<Grader, Refusal>> {
  const { machine, resourcesDir } = options;
  const isHere = machine === undefined || machine.spec.kind === 'local';
  const launcher = isHere ? await openLauncher(options) : await machineLauncher(machine, resourcesDir);
  if (!launcher.ok) return launcher;
  const { cores = options.concurrency } = launcher.value;
  const { harmlessTogether = true } = options;
  const measuring = graderOver(launcher.value, cores, { harmlessTogether });
  const cpuFactor = await cpuFactorOf(options.calibration, launcher.value.python, measuring.measureCpu);
  const grader = measuring.stretchedBy(cpuFactor);
  const health = await grader.listen();
  if (health.kind === 'good') return ok(grader);
  await grader.dispose();
  return failed({ code: 'unavailable', message: health.message });
}

/** A grader with what its opening needs of it. */
export type OpenGrader = Grader & {
  readonly measureCpu: MeasureCpu;
  /** The same grader with limits of time that are so much longer. */
  readonly stretchedBy: (cpuFactor: number) => OpenGrader;
  /** Grades the canaries now. */
  readonly listen: () => Promise<GraderHealth>;
};

/** A grader whose runners come from this launcher, which it then owns. */
export function graderOver(
  launcher: Launcher,
  candidatesAtATime = availableParallelism(),
  { harmlessTogether = true } = {},
): OpenGrader {
  const concurrency = Math.max(1, candidatesAtATime);
  const pool = new RunnerPool(launcher, concurrency);
  // Other runners, because a candidate's own process shares its sandbox with nobody else's.
  const commonPool = new RunnerPool(launcher, concurrency, MOST_TOGETHER_IN_A_SANDBOX);
  const slots = new Slots(concurrency);
  const references = new ReferenceRuns();
  const under = new AbortController();
  const mayShare = harmlessTogether && launcher.kind === 'shared';
  const lane = mayShare ? new CommonLane(commonPool, slots, concurrency, under.signal) : null;
  let gradesMade = 0;
  let madeTogether = 0;
  let faults = 0;

  /** `begun`: results of the first tests that are known already. */
  const attempt = async (
    work: RunnerWork,
    stopAtFirst: boolean,
    signal: AbortSignal,
    begun: Begun = [],
  ): Promise<Attempt> => {
    // Without a sandbox other programs make processes too, so that the runner cannot see whose they are.
    const ours = launcher.kind === 'bare' ? { ...work, sharesProcess: false } : work;
    const schedule = scheduleOf(ours, stopAtFirst);
    schedule.begin(begun);
    for (;;) {
      const done = await attemptFrom(schedule, ours, stopAtFirst, signal);
      if (done.kind !== 'spent') return done;
    }
  };

  const attemptFrom = async (
    schedule: TestSchedule,
    work: RunnerWork,
    stopAtFirst: boolean,
    signal: AbortSignal,
  ): Promise<Attempt | Spent> => {
    let runner: Awaited<ReturnType<RunnerPool['take']>>;
    try {
      runner = await pool.take();
    } catch (error) {
      return { kind: 'broken', reason: String(error), during: null, results: schedule.results };
    }
    const stop = () => pool.end(runner);
    let isDone = false;
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      const done = await attemptGrade(runner, work, stopAtFirst, schedule);
      isDone = done.kind !== 'broken';
      return done;
    } finally {
      signal.removeEventListener('abort', stop);
      if (isDone) pool.giveBack(runner);
      else pool.end(runner);
    }
  };

  const gradeOnce = async (
    request: GradeRequest,
    program: string,
    signal: AbortSignal,
    begun?: Begun,
  ): Promise<Attempt> => {
    const found = await references.forTests(request, (work) => attempt(work, true, signal));
    if (!found.ok) return { kind: 'broken', reason: found.error, during: null, results: [] };
    const work = workOf(request, program, found.value);
    return attempt(work, request.stopAtFirstFailure, signal, begun);
  };

  /** What the common process says of the candidate's first tests, perhaps of all; nothing where it may not run there. */
  const gradeTogether = async (
    request: GradeRequest,
    program: string,
    signal: AbortSignal,
  ): Promise<Begun> => {
    const work = lane === null ? null : commonWork(request, program);
    const reports = work === null ? null : await lane?.run(work, signal);
    // Tests with pauses have processes of their own.
    const begun = reports?.map((report, index) => work?.resultsOf(index, report) ?? []) ?? [];
    return begun.filter((results) => results !== 'paused');
  };

  const gradeFresh = async (request: GradeRequest, program: string, signal: AbortSignal) => {
    const begun = await gradeTogether(request, program, signal);
    if (signal.aborted) return failed(CANCELLED);
    const results = begun.flat();
    const isOver = request.stopAtFirstFailure && results.some((result) => result.verdict !== 'passed');
    if (isOver || (begun.length > 0 && begun.length === request.tests.length)) {
      madeTogether += 1;
      return graded(gradeOf(isOver ? upToFailure(results) : results));
    }
    return (await slots.run(() => gradeApart(request, program, signal, begun), signal)) ?? failed(CANCELLED);
  };

  const graded = (grade: Grade) => {
    gradesMade += 1;
    canary.note(grade.verdict);
    return ok(grade);
  };

  const gradeApart = async (request: GradeRequest, program: string, signal: AbortSignal, begun: Begun) => {
    const broken: Extract<Attempt, { kind: 'broken' }>[] = [];
    for (const pauseMs of PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      if (signal.aborted) return failed(CANCELLED);
      const one = await gradeOnce(request, program, signal, begun);
      if (signal.aborted) return failed(CANCELLED);
      if (one.kind === 'done') return graded(gradeOf(one.results));
      faults += 1;
      broken.push(one);
    }
    const grade = gradeOf(resultsOfBroken(request, broken));
    canary.note(grade.verdict);
    return ok(grade);
  };

  /** Beside all memory and statistics; null when the grader is closed. */
  const runNow = (request: GradeRequest): Promise<Attempt | null> =>
    slots.run(() => gradeOnce(request, request.program ?? '', under.signal), under.signal);

  const canary = new Canary(async (request) => {
    const done = await runNow(request);
    if (done === null || under.signal.aborted) return null;
    const [result] = done.results;
    if (done.kind === 'broken' || result === undefined) {
      return { verdict: 'sandbox-fault', error: done.kind === 'broken' ? done.reason : null };
    }
    // Where the common process says anything, it says the same.
    const [beside] = (await gradeTogether(request, request.program ?? '', under.signal)).flat();
    const { verdict, error } = beside !== undefined && beside.verdict !== result.verdict ? beside : result;
    return { verdict, error };
  });

  const grades = new SharedGrades(gradeFresh);
  const gradeOneReading: Grader['grade'] = async (request, signal) => {
    if (signal?.aborted || under.signal.aborted) return failed(CANCELLED);
    const { program } = request;
    if (program === null || program.trim() === '') return ok(gradeWithout(request, 'no-code', null));
    const trouble = await canary.trouble();
    if (trouble !== null) return ok(gradeWithout(request, 'sandbox-fault', trouble));
    return grades.grade(request, program, signal);
  };

  const over = (cpuFactor: number): OpenGrader => ({
    isolation: launcher.kind === 'bare' ? 'none' : 'sandbox',
    python: launcher.python,
    packages: launcher.packages,
    cpuFactor,
    health: () => canary.health,
    grade: (request, signal) => gradeInBothReadings(gradeOneReading, stretched(request, cpuFactor), signal),
    statistics: () => ({
      queued: slots.queued + (lane?.queued ?? 0),
      running: slots.running,
      graded: gradesMade,
      together: madeTogether,
      faults,
    }),
    dispose: async () => {
      under.abort();
      grades.cancelAll();
      await Promise.all([pool.dispose(), commonPool.dispose()]);
      await launcher.dispose();
      await grades.settled();
    },
    measureCpu: async (request) => {
      const done = await runNow(request);
      return done?.kind === 'done' ? (done.results[0]?.cpuMs ?? null) : null;
    },
    stretchedBy: over,
    listen: async () => {
      await canary.sing();
      return canary.health;
    },
  });
  return over(1);
}

function workOf(
  request: GradeRequest,
  program: string,
  references: ReadonlyMap<TestCase, ReferenceRun>,
): RunnerWork {
  const { rules = 'plain', reading = 'as-program' } = request;
  return runnerWork({ ...request, program, rules, reading, references });
}

/** null: this may not run in the common process, whatever the program does. */
function commonWork(request: GradeRequest, program: string): CommonWork | null {
  const work = workOf(request, program, new Map());
  return work.asks.length === request.tests.length ? commonWorkOf(work, request.stopAtFirstFailure) : null;
}

function upToFailure(results: readonly TestResult[]): readonly TestResult[] {
  return results.slice(0, results.findIndex((result) => result.verdict !== 'passed') + 1);
}

/** The grade of a request of which nothing is run: an answer without a program, or a grader out of order. */
function gradeWithout(
  request: GradeRequest,
  verdict: 'no-code' | 'sandbox-fault',
  error: string | null,
): Grade {
  const results = request.tests.map(() => resultWithoutRun(verdict, error));
  return { verdict, results: request.stopAtFirstFailure ? results.slice(0, 1) : results };
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
