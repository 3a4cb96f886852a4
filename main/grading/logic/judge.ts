import type { Grade, GradingLimits, TestCase, TestResult, Verdict } from '../../../preload/contract';
import { assertNever, parsedJson } from '../../base';
import { compareCall } from './compare-call';
import { compareStdout } from './compare-stdout';
import type { RunnerReport } from './runner-work';

/**
 * The text itself, or its two ends around a mark when it is longer than `maxCharacters` UTF-16 units.
 * Both ends matter: a traceback says what happened at its end and where it began at its start.
 */
export function excerpt(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const half = Math.floor(maxCharacters / 2);
  const leftOut = text.length - 2 * half;
  const cut = `${text.slice(0, half)}\n... (${leftOut} characters left out) ...\n${text.slice(-half)}`;
  // A copy: V8's slices keep the whole text, up to 64 MiB for each grade that is cached.
  return String(parsedJson(JSON.stringify(cut)));
}

/** Enough to see what went wrong; every result is stored in the journal. */
const ACTUAL_CHARACTERS = 4_000;
const ERROR_CHARACTERS = 2_000;

/** The result of one test, from the runner's report. */
export function judge(test: TestCase, report: RunnerReport, limits: GradingLimits): TestResult {
  const { verdict, error } = verdictOf(test, report, limits);
  return {
    verdict,
    actual: report.output === null || report.output === '' ? null : excerpt(report.output, ACTUAL_CHARACTERS),
    error: error === null ? null : excerpt(error, ERROR_CHARACTERS),
    cpuMs: report.cpuMs,
    wallMs: report.wallMs,
  };
}

/** A result for a test that was not run. */
export function resultWithoutRun(verdict: Verdict, error: string | null): TestResult {
  return { verdict, actual: null, error, cpuMs: 0, wallMs: 0 };
}

/** The grade of these results: the first verdict that is not `passed`; without results, `passed`. */
export function gradeOf(results: readonly TestResult[]): Grade {
  const verdict = results.find((result) => result.verdict !== 'passed')?.verdict ?? 'passed';
  return { verdict, results: [...results] };
}

type Judged = { readonly verdict: Verdict; readonly error: string | null };

function verdictOf(test: TestCase, report: RunnerReport, limits: GradingLimits): Judged {
  switch (report.end) {
    case 'finished': {
      const judged = judgeOutput(test, report.output ?? '');
      // An error of a program that finished: a thread of it ran out of memory (candidate.py).
      return judged.verdict === 'wrong-answer' && report.error !== null
        ? { verdict: 'memory-limit', error: report.error }
        : judged;
    }
    case 'no-json':
      return { verdict: 'wrong-answer', error: 'The returned value cannot be represented in JSON.' };
    case 'error':
      return {
        verdict: isFailedCheck(test, report) ? 'wrong-answer' : 'runtime-error',
        error: report.error,
      };
    case 'time': {
      const error = `Stopped at the limit of ${limits.cpuSeconds} s of CPU time (${limits.wallSeconds} s by the clock).`;
      return { verdict: 'time-limit', error };
    }
    case 'memory':
      return {
        verdict: 'memory-limit',
        error: report.error ?? `Used more than ${limits.memoryBytes} bytes of memory.`,
      };
    case 'output':
      return {
        verdict: 'output-limit',
        error: `Stopped at the limit of ${limits.outputBytes} bytes of output.`,
      };
    case 'fault':
      return { verdict: 'sandbox-fault', error: report.error };
    default:
      return assertNever(report.end);
  }
}

/** A `check` fails by an assertion; its traceback ends with a line such as "AssertionError: ...". */
function isFailedCheck(test: TestCase, report: RunnerReport): boolean {
  // Not split into lines: a candidate's error text may be megabytes of them.
  const text = report.error?.trimEnd() ?? '';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return test.kind === 'check' && /^AssertionError(:|$)/.test(last);
}

function judgeOutput(test: TestCase, output: string): Judged {
  const judged = (equal: boolean): Judged => ({ verdict: equal ? 'passed' : 'wrong-answer', error: null });
  switch (test.kind) {
    case 'stdin':
      return judged(compareStdout(output, test.expected));
    case 'call': {
      const comparison = compareCall(output, test.expected);
      if (comparison === 'no-expectation') {
        const error = "The test's expected value is not JSON, so no result can equal it.";
        return { verdict: 'wrong-answer', error };
      }
      if (comparison === 'too-large') {
        const error = 'The returned value is far larger than the expected one, or nested more deeply.';
        return { verdict: 'wrong-answer', error };
      }
      return judged(comparison === 'equal');
    }
    case 'reference':
      return {
        verdict: 'sandbox-fault',
        error: 'Results of reference tests are judged by judge-reference.ts.',
      };
    case 'check':
      return { verdict: 'passed', error: null };
    default:
      return assertNever(test);
  }
}
