import type { Problem, ProblemText, TestCase } from '../../../preload/contract';
import { counted } from '../../base';

/** Characters of one text, and tests, that a person may read; files from outside may have megabytes. */
const MOST_STATEMENT = 100_000;
const MOST_TEST = 10_000;
const MOST_TESTS = 50;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n… ${counted(text.length - most, 'more character')}`;
}

function shortTest(test: TestCase): TestCase {
  switch (test.kind) {
    case 'check':
      return { ...test, source: cut(test.source, MOST_TEST) };
    case 'reference':
      return { ...test, inputs: cut(test.inputs, MOST_TEST), reference: cut(test.reference, MOST_TEST) };
    default:
      return { ...test, input: cut(test.input, MOST_TEST), expected: cut(test.expected, MOST_TEST) };
  }
}

/** What the window gets of a problem: see `problemTextSchema`. */
export function problemText(problem: Problem): ProblemText {
  const { privateTests, canonicalProgram: _canonicalProgram, ...shown } = problem;
  return {
    ...shown,
    title: cut(shown.title, MOST_TEST),
    statement: cut(shown.statement, MOST_STATEMENT),
    starterCode: cut(shown.starterCode, MOST_TEST),
    publicTests: shown.publicTests.slice(0, MOST_TESTS).map(shortTest),
    publicTestCount: shown.publicTests.length,
    privateTestCount: privateTests.length,
  };
}
