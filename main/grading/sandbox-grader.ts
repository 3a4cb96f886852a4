import { availableParallelism } from 'node:os';
import type { Grade, Refusal, TestCase, TestResult } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Machine } from '../machines';
import { createAttempts, gradeInCommonProcess, type KnownResults, retryAttempt } from './attempts';
import { type Calibration, cpuFactorOf, type MeasureCpu, withScaledLimits } from './calibration';
import { CommonQueue } from './common-queue';
import { type GradeAttempt, resultsOfBroken } from './grade-attempt';
import {
  type GradeRequest,
  type Grader,
  type GraderHealth,
  gradeInBothModes,
  gradeNotRun,
  gradeOrFault,
  stopAfterOf,
} from './grader';
import type { Launcher } from './launcher';
import { gradeOf } from './logic/judge';
import type { ReferenceRun } from './logic/judge-reference';
import { withMissingPackage } from './logic/missing-package';
import { runnerWork, type WorkRequest } from './logic/runner-work';
import { machineLauncher } from './machine-launcher';
import { type LauncherOptions, openLauncher } from './open-launcher';
import { missingPackages } from './python-packages';
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
  /** false: every candidate gets its own process, also one that passes the static check. */
  readonly sharesProcesses?: boolean;
  /** Where the factor of this machine is stored; measured at each opening when left out. */
  readonly calibration?: Calibration;
};

/** A sandbox of the common process is replaced after this many candidates; the process itself much sooner. */
const MAX_COMMON_CANDIDATES = 20_000;

/** Opens the grader of this computer or of a machine. The refusal names the missing part and the command to type. */
export async function openSandboxGrader(options: SandboxGraderOptions): Promise<Result<Grader, Refusal>> {
  const { machine, resourcesDir } = options;
  const isHere = machine === undefined || machine.spec.kind === 'local';
  const launcher = isHere ? await openLauncher(options) : await machineLauncher(machine, resourcesDir);
  if (!launcher.ok) return launcher;
  const { cores = options.concurrency } = launcher.value;
  const { sharesProcesses = true } = options;
  const measuring = createGrader(launcher.value, cores, { sharesProcesses });
  const cpuFactor = await cpuFactorOf(options.calibration, launcher.value.python, measuring.measureCpu);
  const grader = measuring.withCpuFactor(cpuFactor);
  const health = await grader.selfCheck();
  if (health.kind === 'good') return ok(grader);
  await grader.dispose();
  return failed({ code: 'unavailable', message: health.message });
}

/** A grader during its opening. */
export type ConfigurableGrader = Grader & {
  readonly measureCpu: MeasureCpu;
  /** The same grader with time limits multiplied by this factor. */
  readonly withCpuFactor: (cpuFactor: number) => ConfigurableGrader;
  /** Runs the self-check now. */
  readonly selfCheck: () => Promise<GraderHealth>;
};

/**
 * A grader that starts its runners with this launcher, and then owns the launcher. `workFor`: how a request becomes tests
 * and reports become results.
 */
export function createGrader(
  launcher: Launcher,
  candidatesAtATime = availableParallelism(),
  { sharesProcesses = true, workFor = runnerWork } = {},
): ConfigurableGrader {
  const concurrency = Math.max(1, candidatesAtATime);
  const pool = new RunnerPool(launcher, concurrency);
  // Separate runners: a candidate with a process of its own does not share its sandbox with the common process.
  const commonPool = new RunnerPool(launcher, concurrency, MAX_COMMON_CANDIDATES);
  const slots = new Slots(concurrency);
  const references = new ReferenceRuns();
  const closing = new AbortController();
  const mayShare = sharesProcesses && launcher.kind === 'shared';
  const commonQueue = mayShare ? new CommonQueue(commonPool, slots, concurrency, closing.signal) : null;
  const lacking = missingPackages(launcher.packages);
  const attempt = createAttempts({ isBare: launcher.kind === 'bare', pool, slots, concurrency });
  const gradeTogether = (request: GradeRequest, program: string, signal: AbortSignal) =>
    gradeInCommonProcess(commonQueue, () => workFor(workRequest(request, program)), request, signal);
  let gradesMade = 0;
  let gradedTogether = 0;
  let faults = 0;

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

  const gradeFresh = async (request: GradeRequest, program: string, signal: AbortSignal) => {
    const begun = await gradeTogether(request, program, signal);
    if (signal.aborted) return failed(CANCELLED);
    const results = begun.flat();
    const isOver = request.stopAtFirstFailure && results.some((result) => result.verdict !== 'passed');
    if (isOver || (begun.length > 0 && begun.length === request.tests.length)) {
      gradedTogether += 1;
      return graded(gradeOf(isOver ? upToFailure(results) : results));
    }
    const inOwnProcess = () => gradeInOwnProcess(request, program, signal, begun);
    return (await slots.run(inOwnProcess, signal, request.isBatch)) ?? failed(CANCELLED);
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
    const end = await retryAttempt(() => gradeOnce(request, program, signal, begun), signal);
    faults += end.broken.length;
    if (end.results !== null) return graded(gradeOf(end.results));
    if (signal.aborted) return failed(CANCELLED);
    const grade = gradeOf(resultsOfBroken(request, end.broken));
    selfCheck.note(grade.verdict);
    return ok(grade);
  };

  /** Without cache and statistics; null when the grader is closed. */
  const runNow = (request: GradeRequest): Promise<GradeAttempt | null> =>
    slots.run(() => gradeOnce(request, request.program ?? '', closing.signal), closing.signal);

  const selfCheck = new SelfCheck(async (request) => {
    const done = await runNow(request);
    if (done === null || closing.signal.aborted) return null;
    const together = () => gradeTogether(request, request.program ?? '', closing.signal);
    return checkedVerdict(done, together);
  });

  const grades = new SharedGrades(gradeFresh);
  const gradeInOneMode: Grader['grade'] = async (request, signal) => {
    if (signal?.aborted || closing.signal.aborted) return failed(CANCELLED);
    const grade = await gradeWithoutRun(request, selfCheck);
    return grade === null ? grades.grade(request, request.program ?? '', signal) : ok(grade);
  };

  const withCpuFactor = (cpuFactor: number): ConfigurableGrader => ({
    ...factsOf(launcher),
    cpuFactor,
    health: () => selfCheck.health,
    grade: (request, signal) =>
      gradeOrFault(request, () =>
        gradeInBothModes(gradeInOneMode, withScaledLimits(request, cpuFactor), signal),
      ),
    statistics: () => ({
      queued: slots.queued + (commonQueue?.queued ?? 0),
      running: slots.running,
      graded: gradesMade,
      together: gradedTogether,
      faults,
    }),
    dispose: async () => {
      closing.abort();
      grades.cancelAll();
      await Promise.all([pool.dispose(), commonPool.dispose()]);
      await launcher.dispose();
      await grades.whenIdle();
    },
    measureCpu: async (request) => cpuMsOf(await runNow(request)),
    withCpuFactor,
    selfCheck: async () => {
      await selfCheck.run();
      return selfCheck.health;
    },
  });
  return withCpuFactor(1);
}

function cpuMsOf(done: GradeAttempt | null): number | null {
  return done?.kind === 'done' ? (done.results[0]?.cpuMs ?? null) : null;
}

function factsOf({ kind, python, choice, packages }: Launcher) {
  return { isolation: kind === 'bare' ? 'none' : 'sandbox', python, choice, packages } as const;
}

/** null: the program must run. */
async function gradeWithoutRun(request: GradeRequest, selfCheck: SelfCheck): Promise<Grade | null> {
  const { program } = request;
  if (program === null || program.trim() === '') return gradeNotRun(request, 'no-code', null);
  const problem = await selfCheck.problem();
  if (problem !== null) return gradeNotRun(request, 'sandbox-fault', problem);
  // As the public tests of most problems of HumanEval: nothing runs, so no sandbox is waited for.
  return request.tests.length === 0 ? gradeOf([]) : null;
}

/** Of a known program; the common process must give the same verdict, if any. */
async function checkedVerdict(
  done: GradeAttempt,
  gradeTogether: () => Promise<KnownResults>,
): Promise<Pick<TestResult, 'verdict' | 'error'>> {
  const [result] = done.results;
  if (done.kind === 'broken' || result === undefined) {
    return { verdict: 'sandbox-fault', error: done.kind === 'broken' ? done.reason : null };
  }
  const [together] = (await gradeTogether()).flat();
  const { verdict, error } =
    together !== undefined && together.verdict !== result.verdict ? together : result;
  return { verdict, error };
}

function workRequest(
  request: GradeRequest,
  program: string,
  references: ReadonlyMap<TestCase, ReferenceRun> = new Map(),
): WorkRequest {
  const { rules = 'plain', mode = 'as-program' } = request;
  return { ...request, program, rules, mode, references };
}

function upToFailure(results: readonly TestResult[]): readonly TestResult[] {
  return results.slice(0, results.findIndex((result) => result.verdict !== 'passed') + 1);
}
