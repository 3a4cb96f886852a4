import type { Problem, ProblemText, TestCase } from '../../../preload/contract';
import { counted } from '../../base';

/** Characters of one text, and tests, that a person may read; files from outside may have megabytes. */
const MAX_STATEMENT = 100_000;
const MAX_TEST = 10_000;
const MAX_TESTS = 50;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n… ${counted(text.length - most, 'more character')}`;
}

function shortTest(test: TestCase): TestCase {
  switch (test.kind) {
    case 'check':
      return { ...test, source: cut(test.source, MAX_TEST) };
    case 'reference':
      return { ...test, inputs: cut(test.inputs, MAX_TEST), reference: cut(test.reference, MAX_TEST) };
    default:
      return { ...test, input: cut(test.input, MAX_TEST), expected: cut(test.expected, MAX_TEST) };
  }
}

/** The parts of a problem for the window: see `problemTextSchema`. */
export function problemText(problem: Problem): ProblemText {
  const { privateTests, canonicalProgram: _canonicalProgram, ...shown } = problem;
  return {
    ...shown,
    title: cut(shown.title, MAX_TEST),
    statement: cut(shown.statement, MAX_STATEMENT),
    starterCode: cut(shown.starterCode, MAX_TEST),
    publicTests: shown.publicTests.slice(0, MAX_TESTS).map(shortTest),
    publicTestCount: shown.publicTests.length,
    privateTestCount: privateTests.length,
  };
}
