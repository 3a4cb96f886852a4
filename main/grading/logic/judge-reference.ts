import { z } from 'zod';
import type { GradingLimits, TestCase, TestResult } from '../../../preload/contract';
import { failed, ok, parsedJson, parsedJsonWithin, type Result } from '../../base';
import { ReferenceComparison } from './compare-reference';
import { excerpt, judge, resultWithoutRun } from './judge';
import { type PythonObject, readPythonObject } from './python-value';
import type { RunnerReport } from './runner-work';

export type ReferenceTest = Extract<TestCase, { kind: 'reference' }>;

/** The results of the reference program for each input. */
export type ReferenceRun = {
  /** JSON of each encoded value. */
  readonly values: readonly string[];
  /** CPU seconds of each call. */
  readonly seconds: readonly number[];
};

/** EvalPlus' minimum limit of a call, its multiple of the reference's time, and the maximum for all calls together. */
const MIN_SECONDS = 4;
const TIMES_REFERENCE = 4;
const MAX_SECONDS = 60;
/** EvalPlus waits this much longer before it kills a process. */
const GRACE_SECONDS = 2;
/** Values may be long lists, and EvalPlus does not limit them. */
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** More than encode.py writes: 200 containers, each with at most four brackets. */
const MAX_DEPTH = 1_000;
/** Limit of one result of the reference program: some hundred thousand values. */
const MAX_PARTS = 4_000_000;
/**
 * Characters of a candidate's results: so many times those of the reference program, and so many more, for a subclass's
 * name stands beside each value. With the depth it bounds what their comparison takes, however much a candidate writes.
 */
const TIMES_CHARACTERS = 4;
const MORE_CHARACTERS = 1024 * 1024;

const outcomeSchema = z.union([
  z.object({ value: z.unknown(), seconds: z.number().nonnegative() }),
  z.object({ end: z.enum(['error', 'time']), error: z.string() }),
  z.object({ end: z.literal('paused') }),
]);
type Outcome = z.infer<typeof outcomeSchema>;

/** Limit in CPU seconds of each call, from the reference's time. */
export function callLimits(seconds: readonly number[]): readonly number[] {
  return seconds.length === 0
    ? [MIN_SECONDS]
    : seconds.map((measured) => Math.max(MIN_SECONDS, TIMES_REFERENCE * measured));
}

/** Limits of a process that makes all calls of a test; with several tests, the largest. */
export function referenceLimits(
  limits: GradingLimits,
  perCall: readonly (readonly number[])[],
): GradingLimits {
  const sums = perCall.map((calls) => calls.reduce((sum, seconds) => sum + seconds, 0));
  const cpuSeconds = Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, ...sums)) + GRACE_SECONDS;
  return {
    ...limits,
    cpuSeconds,
    wallSeconds: cpuSeconds * (limits.wallSeconds / limits.cpuSeconds),
    outputBytes: Math.max(limits.outputBytes, OUTPUT_BYTES),
  };
}

/** The results of the reference program; the error is for people. */
export function readReferenceRun(report: RunnerReport): Result<ReferenceRun, string> {
  if (report.end !== 'finished') return failed(report.error ?? `it ended by "${report.end}".`);
  const values: string[] = [];
  const seconds: number[] = [];
  for (const line of linesOf(report)) {
    const index = values.length;
    const outcome = outcomeOf(line, MAX_PARTS);
    if (outcome === null) return failed(`input ${index + 1}: its result is damaged or too large.`);
    if ('end' in outcome) {
      return failed(`input ${index + 1}: ${outcome.end === 'paused' ? 'it was not called.' : outcome.error}`);
    }
    values.push(JSON.stringify(outcome.value));
    seconds.push(outcome.seconds);
  }
  return ok({ values, seconds });
}

/**
 * The result of a `reference` test: passed when every call gives the reference's result. "paused": all calls so far do, but
 * some are missing.
 */
export function judgeReference(
  test: ReferenceTest,
  reference: ReferenceRun,
  report: RunnerReport,
  limits: GradingLimits,
  options: { readonly entryPoint: string | null; readonly asPublished: boolean },
): TestResult | 'paused' {
  if (report.end !== 'finished') return judge(test, report, limits);
  const measured = { cpuMs: report.cpuMs, wallMs: report.wallMs };
  const args = argumentsOf(test);
  const comparison = new ReferenceComparison({
    entryPoint: options.entryPoint,
    tolerance: test.tolerance,
    sticky: options.asPublished,
  });
  const lines = linesOf(report);
  const most = TIMES_CHARACTERS * sizeOf(reference) + MORE_CHARACTERS;
  let characters = 0;
  for (const [index, wanted] of reference.values.entries()) {
    const line = lines.next();
    const where = `Input ${index + 1} of ${reference.values.length}`;
    if (line.done) return { ...resultWithoutRun('runtime-error', `${where} has no result.`), ...measured };
    characters += line.value.length;
    if (characters > most) {
      const error = `${where}: the results are far larger than the reference program's, more than ${most} characters.`;
      return { ...resultWithoutRun('output-limit', error), ...measured };
    }
    const outcome = outcomeOf(line.value, most);
    if (outcome === null) {
      const error = `${where}: the program damaged the report on its calls, or nested a value more than ${MAX_DEPTH} deep.`;
      return { ...resultWithoutRun('runtime-error', error), ...measured };
    }
    if ('end' in outcome) {
      if (outcome.end === 'paused') return outcome.end;
      const verdict = outcome.end === 'time' ? 'time-limit' : 'runtime-error';
      return { ...resultWithoutRun(verdict, `${where}: ${outcome.error}`), ...measured };
    }
    const given = readPythonObject(outcome.value);
    const expected = readPythonObject(parsedJson(wanted));
    if (given === null || expected === null || !comparison.agrees(args[index] ?? [], given, expected)) {
      const error = `${where} gives another result than the reference program.`;
      return { ...resultWithoutRun('wrong-answer', error), actual: shown(given), ...measured };
    }
  }
  return { ...resultWithoutRun('passed', null), ...measured };
}

const SHOWN = 1_000;

function shown(value: PythonObject | null): string | null {
  return value === null ? null : excerpt(JSON.stringify(value), SHOWN);
}

/** One at a time: what comes after the first wrong one is never read. */
function* linesOf({ output }: RunnerReport): Generator<string, void> {
  const text = output ?? '';
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? undefined : end);
    from = end === -1 ? text.length : end + 1;
  }
}

function outcomeOf(line: string, parts: number): Outcome | null {
  const outcome = outcomeSchema.safeParse(parsedJsonWithin(line, { depth: MAX_DEPTH, parts }));
  return outcome.success ? outcome.data : null;
}

function sizeOf({ values }: ReferenceRun): number {
  return values.reduce((sum, value) => sum + value.length, 0);
}

const argumentsSchema = z.array(z.array(z.unknown()));

/**
 * For the few comparisons that need the arguments, whose inputs are plain numbers. Python's `NaN` and `Infinity` and
 * Python literals are not JSON, but do not occur in these functions' inputs.
 */
function argumentsOf({ inputs }: ReferenceTest): readonly (readonly unknown[])[] {
  const text = inputs.replace(/\b(?:NaN|Infinity)\b/g, 'null');
  const read = argumentsSchema.safeParse(parsedJson(text));
  return read.success ? read.data : [];
}
