import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Grade, Refusal, TestCase, TestResult } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Machine } from '../machines';
import { type Calibration, cpuFactorOf, type MeasureCpu, stretched } from './calibration';
import { type CommonWork, commonWorkOf } from './common-process-frames';
import { CommonQueue } from './common-queue';
import { attemptGrade, type GradeAttempt, resultsOfBroken, type Spent, scheduleOf } from './grade-attempt';
import {
  type GradeRequest,
  type Grader,
  type GraderHealth,
  gradeInBothModes,
  gradeOrFault,
  gradeWithout,
  stopAfterOf,
} from './grader';
import type { Launcher } from './launcher';
import { gradeOf } from './logic/judge';
import type { ReferenceRun } from './logic/judge-reference';
import { withMissingPackage } from './logic/missing-package';
import { type CandidateWork, runnerWork, type WorkRequest } from './logic/runner-work';
import type { StopAfter, TestSchedule } from './logic/test-schedule';
import { machineLauncher } from './machine-launcher';
import { type LauncherOptions, openLauncher } from './open-launcher';
import { lackingPackages } from './python-packages';
import { ReferenceRuns } from './reference-runs';
import { RunnerPool } from './runner-pool';
import { SelfCheck } from './self-check';
import { CANCELLED, SharedGrades } from './shared-grades';
import { Slots } from './slots';

export type SandboxGraderOptions = LauncherOptions & {
  /** Where candidates run; this computer when left out. */
  readonly machine?: Machine;
  /** Candidates at a time; all processor cores when left out. */
  readonly concurrency?: number;
  /** false: every candidate gets its own process, harmless ones too. */
  readonly sharesProcesses?: boolean;
  /** Where the factor of this machine is stored; measured at each opening when left out. */
  readonly calibration?: Calibration;
};

/** Pause before each attempt: most causes of a failed sandbox (e.g. a full process table) are temporary. */
const PAUSES_MS = [0, 150, 600] as const;

/** A sandbox of the common process is replaced after this many candidates; the process itself much sooner. */
const MOST_TOGETHER_IN_A_SANDBOX = 20_000;

/** Results of the first tests of a candidate, a list per runner test. */
type KnownResults = readonly (readonly TestResult[])[];

/** Opens the grader of this computer or of a machine. The refusal names the missing part and the command to type. */
export async function openSandboxGrader(options: SandboxGraderOptions): Promise<Result<Grader, Refusal>> {
  const { machine, resourcesDir } = options;
  const isHere = machine === undefined || machine.spec.kind === 'local';
  const launcher = isHere ? await openLauncher(options) : await machineLauncher(machine, resourcesDir);
  if (!launcher.ok) return launcher;
  const { cores = options.concurrency } = launcher.value;
  const { sharesProcesses = true } = options;
  const measuring = graderOver(launcher.value, cores, { sharesProcesses });
  const cpuFactor = await cpuFactorOf(options.calibration, launcher.value.python, measuring.measureCpu);
  const grader = measuring.stretchedBy(cpuFactor);
  const health = await grader.selfCheck();
  if (health.kind === 'good') return ok(grader);
  await grader.dispose();
  return failed({ code: 'unavailable', message: health.message });
}

/** A grader during its opening. */
export type ConfigurableGrader = Grader & {
  readonly measureCpu: MeasureCpu;
  /** The same grader with time limits multiplied by this factor. */
  readonly stretchedBy: (cpuFactor: number) => ConfigurableGrader;
  /** Runs the self-check now. */
  readonly selfCheck: () => Promise<GraderHealth>;
};

/**
 * A grader that starts its runners with this launcher, and then owns the launcher. `workFor`: how a request becomes tests
 * and reports become results.
 */
export function graderOver(
  launcher: Launcher,
  candidatesAtATime = availableParallelism(),
  { sharesProcesses = true, workFor = runnerWork } = {},
): ConfigurableGrader {
  const concurrency = Math.max(1, candidatesAtATime);
  const pool = new RunnerPool(launcher, concurrency);
  // Separate runners: a candidate with a process of its own does not share its sandbox with the common process.
  const commonPool = new RunnerPool(launcher, concurrency, MOST_TOGETHER_IN_A_SANDBOX);
  const slots = new Slots(concurrency);
  const references = new ReferenceRuns();
  const closing = new AbortController();
  const mayShare = sharesProcesses && launcher.kind === 'shared';
  const commonQueue = mayShare ? new CommonQueue(commonPool, slots, concurrency, closing.signal) : null;
  const lacking = lackingPackages(launcher.packages);
  let gradesMade = 0;
  let madeTogether = 0;
  let faults = 0;

  /** `begun`: results of the first tests that are known already. */
  const attempt = async (
    work: CandidateWork,
    stopAfter: StopAfter,
    signal: AbortSignal,
    begun: KnownResults = [],
  ): Promise<GradeAttempt> => {
    // Without a sandbox other programs make processes too, so the runner cannot tell which are the candidate's.
    const ours: CandidateWork = launcher.kind === 'bare' ? { ...work, mayShareProcess: false } : work;
    const schedule = scheduleOf(ours, stopAfter);
    schedule.startWith(begun);
    const untilDone = async (): Promise<GradeAttempt> => {
      while (!schedule.isDone) {
        const done = await attemptFrom(schedule, ours, stopAfter, signal);
        if (done.kind !== 'spent') return done;
      }
      return { kind: 'done', results: schedule.results };
    };
    const first = await attemptFrom(schedule, ours, stopAfter, signal);
    if (first.kind !== 'spent') return first;
    // Each further test of a slow program may take its whole limit: free slots run some of them meanwhile.
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const more = Math.max(0, Math.min(concurrency, schedule.besideEachOther) - 1);
    const others = Array.from({ length: more }, () => slots.run(untilDone, over.signal, true));
    const own = await untilDone();
    // Those that have no slot yet leave the queue: all slots may be held by programs that wait for others like these.
    over.abort();
    const attempts = [own, ...(await Promise.all(others))];
    return attempts.find((one) => one?.kind === 'broken') ?? { kind: 'done', results: schedule.results };
  };

  const attemptFrom = async (
    schedule: TestSchedule,
    work: CandidateWork,
    stopAfter: StopAfter,
    signal: AbortSignal,
  ): Promise<GradeAttempt | Spent> => {
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
      const done = await attemptGrade(runner, work, stopAfter, schedule);
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
    begun?: KnownResults,
  ): Promise<GradeAttempt> => {
    const expected = await references.forTests(request, (work) => attempt(work, 'failure', signal));
    if (!expected.ok) return { kind: 'broken', reason: expected.error, during: null, results: [] };
    const work = workFor(workRequest(request, program, expected.value));
    return attempt(work, stopAfterOf(request), signal, begun);
  };

  /** Results of the candidate's first tests, perhaps of all, from the common process; empty if it may not run there. */
  const gradeTogether = async (
    request: GradeRequest,
    program: string,
    signal: AbortSignal,
  ): Promise<KnownResults> => {
    const work = commonQueue === null ? null : commonWork(request, workFor(workRequest(request, program)));
    const reports = work === null ? null : await commonQueue?.run(work, signal);
    // Tests with pauses get their own processes.
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
    const inOwnProcess = () => gradeInOwnProcess(request, program, signal, begun);
    return (await slots.run(inOwnProcess, signal, request.isPatient)) ?? failed(CANCELLED);
  };

  const graded = (grade: Grade) => {
    gradesMade += 1;
    selfCheck.note(grade.verdict);
    return ok(withMissingPackage(grade, lacking, launcher.choice.path));
  };

  const gradeInOwnProcess = async (
    request: GradeRequest,
    program: string,
    signal: AbortSignal,
    begun: KnownResults,
  ) => {
    const broken: Extract<GradeAttempt, { kind: 'broken' }>[] = [];
    for (const pauseMs of PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs);
      if (signal.aborted) return failed(CANCELLED);
      const attempt = await gradeOnce(request, program, signal, begun);
      if (signal.aborted) return failed(CANCELLED);
      if (attempt.kind === 'done') return graded(gradeOf(attempt.results));
      faults += 1;
      broken.push(attempt);
    }
    const grade = gradeOf(resultsOfBroken(request, broken));
    selfCheck.note(grade.verdict);
    return ok(grade);
  };

  /** Without cache and statistics; null when the grader is closed. */
  const runNow = (request: GradeRequest): Promise<GradeAttempt | null> =>
    slots.run(() => gradeOnce(request, request.program ?? '', closing.signal), closing.signal);

  const selfCheck = new SelfCheck(async (request) => {
    const done = await runNow(request);
    if (done === null || closing.signal.aborted) return null;
    const [result] = done.results;
    if (done.kind === 'broken' || result === undefined) {
      return { verdict: 'sandbox-fault', error: done.kind === 'broken' ? done.reason : null };
    }
    // The common process must give the same verdict, if any.
    const [together] = (await gradeTogether(request, request.program ?? '', closing.signal)).flat();
    const { verdict, error } =
      together !== undefined && together.verdict !== result.verdict ? together : result;
    return { verdict, error };
  });

  const grades = new SharedGrades(gradeFresh);
  const gradeInOneMode: Grader['grade'] = async (request, signal) => {
    if (signal?.aborted || closing.signal.aborted) return failed(CANCELLED);
    const { program } = request;
    if (program === null || program.trim() === '') return ok(gradeWithout(request, 'no-code', null));
    const problem = await selfCheck.problem();
    if (problem !== null) return ok(gradeWithout(request, 'sandbox-fault', problem));
    // As the public tests of most problems of HumanEval: nothing runs, so no sandbox is waited for.
    if (request.tests.length === 0) return ok(gradeOf([]));
    return grades.grade(request, program, signal);
  };

  const over = (cpuFactor: number): ConfigurableGrader => ({
    isolation: launcher.kind === 'bare' ? 'none' : 'sandbox',
    python: launcher.python,
    choice: launcher.choice,
    packages: launcher.packages,
    cpuFactor,
    health: () => selfCheck.health,
    grade: (request, signal) =>
      gradeOrFault(request, () => gradeInBothModes(gradeInOneMode, stretched(request, cpuFactor), signal)),
    statistics: () => ({
      queued: slots.queued + (commonQueue?.queued ?? 0),
      running: slots.running,
      graded: gradesMade,
      together: madeTogether,
      faults,
    }),
    dispose: async () => {
      closing.abort();
      grades.cancelAll();
      await Promise.all([pool.dispose(), commonPool.dispose()]);
      await launcher.dispose();
      await grades.whenIdle();
    },
    measureCpu: async (request) => {
      const done = await runNow(request);
      return done?.kind === 'done' ? (done.results[0]?.cpuMs ?? null) : null;
    },
    stretchedBy: over,
    selfCheck: async () => {
      await selfCheck.run();
      return selfCheck.health;
    },
  });
  return over(1);
}

function workRequest(
  request: GradeRequest,
  program: string,
  references: ReadonlyMap<TestCase, ReferenceRun> = new Map(),
): WorkRequest {
  const { rules = 'plain', mode = 'as-program' } = request;
  return { ...request, program, rules, mode, references };
}

/** null: these tests cannot run in the common process, whatever the program does. */
function commonWork(request: GradeRequest, work: CandidateWork): CommonWork | null {
  return work.runnerTests.length === request.tests.length
    ? commonWorkOf(work, request.stopAtFirstFailure)
    : null;
}

function upToFailure(results: readonly TestResult[]): readonly TestResult[] {
  return results.slice(0, results.findIndex((result) => result.verdict !== 'passed') + 1);
}
