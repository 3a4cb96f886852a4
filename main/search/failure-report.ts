import type { TestCase, TestResult, Verdict } from '../../preload/contract';
import { assertNever } from '../base';
import { fenced, lastLines, truncateMiddle } from './prompt-text';
import type { ParentProgram } from './prompts';

/** Maximum length of an input, an output and an expected output each (as in LiveCodeBench's error texts). */
const DATA_CHARACTERS = 300;
/** The end of a traceback names the error and its line. */
const ERROR_LINES = 20;
export const ERROR_CHARACTERS = 2_000;

/**
 * MARS²-T+'s error feedback: the first public test that the program does not pass, with input, output and expected
 * output, or with the error. Empty where it passes all.
 */
export function firstFailure(tests: readonly TestCase[], parent: ParentProgram): string[] {
  const at = parent.publicVerdicts.findIndex((verdict) => verdict !== 'passed');
  const verdict = parent.publicVerdicts[at];
  const test = tests[at];
  if (verdict === undefined || test === undefined) return [];
  const result = parent.publicResults[at];
  const firstFailing = `Of these, test ${at + 1} is the first that it does not pass: ${describeVerdict(verdict)}`;
  return [firstFailing, ...testInput(test), ...outcomeLines(verdict, test, result)];
}

function describeVerdict(verdict: Verdict): string {
  switch (verdict) {
    case 'wrong-answer':
      return 'it gives a wrong answer.';
    case 'runtime-error':
      return 'it ends with an error.';
    case 'time-limit':
      return 'it takes too long.';
    case 'memory-limit':
      return 'it uses too much memory.';
    case 'output-limit':
      return 'it writes too much.';
    case 'passed':
    case 'no-code':
    case 'sandbox-fault':
    case 'grader-fault':
    case 'unknown':
      return 'it was not judged.';
    default:
      return assertNever(verdict);
  }
}

/**
 * The test without its expected result. Of a test against a reference program only the inputs: the program is secret.
 */
function testInput(test: TestCase): string[] {
  switch (test.kind) {
    case 'stdin':
      return data('Input', test.input);
    case 'call':
      return data('Arguments, one a line', test.input);
    case 'check':
      return data('Check', test.source);
    case 'reference':
      return data('Lists of arguments', test.inputs);
    default:
      return assertNever(test);
  }
}

function outcomeLines(verdict: Verdict, test: TestCase, result: TestResult | undefined): string[] {
  const error = result?.error ?? null;
  if (verdict === 'wrong-answer') {
    const expected = test.kind === 'stdin' || test.kind === 'call' ? data('Expected', test.expected) : [];
    return [...data('Output', result?.actual ?? ''), ...expected, ...errorText(error)];
  }
  return errorText(error);
}

/** A traceback, or the limit that was exceeded. */
function errorText(error: string | null): string[] {
  return error === null ? [] : [`Error:\n${fenced(lastLines(error, ERROR_LINES, ERROR_CHARACTERS), '')}`];
}

function data(name: string, text: string): string[] {
  return [`${name}:\n${fenced(truncateMiddle(text, DATA_CHARACTERS), '')}`];
}
