import type { NodeDetail, TestCase, TestResult } from '../../../preload/contract';
import { referenceInputs, toleranceText } from '../../shared/problems/index';

/** In the place of tests and prompt. */
export const PROBLEM_MISSING =
  'The benchmark of this problem is not in the library, so its tests and prompts are not known. Import it again to see them.';

/** A test as the inspector shows it. */
export type TestRow = {
  /** From 1. */
  readonly number: number;
  readonly result: TestResult | null;
  /** The test's input with a label: stdin, arguments, or the checking code. */
  readonly input: { readonly name: string; readonly text: string };
  readonly expected: string | null;
  /** The reference program and the tolerance; null for other kinds of test. */
  readonly reference: { readonly program: string; readonly closeness: string } | null;
  readonly actual: string | null;
  readonly error: string | null;
};

export function testRows(tests: NodeDetail['publicTests']): TestRow[] {
  return tests.map(({ test, result }, i) => ({
    number: i + 1,
    result,
    input: inputOf(test),
    expected: 'expected' in test ? shownValue(test, test.expected) : null,
    reference:
      test.kind === 'reference'
        ? { program: test.reference, closeness: `the reference's result${toleranceText(test.tolerance)}` }
        : null,
    actual: result?.actual == null ? null : shownValue(test, result.actual),
    error: result?.error ?? null,
  }));
}

/**
 * A returned list or table with one space behind each comma, as the expected value and the actual one come from different
 * writers: the eye should find what differs, not how it is written. Texts keep their spaces, and so do outputs of programs.
 */
function shownValue({ kind }: TestCase, value: string): string {
  const isNested = /^[[({]/.test(value) && !/["']/.test(value);
  if (kind !== 'call' || !isNested) return value;
  return value.replaceAll(/\s/g, '').replaceAll(/([,:])/g, '$1 ');
}

function inputOf(test: TestCase): TestRow['input'] {
  switch (test.kind) {
    case 'stdin':
      return { name: 'Input', text: test.input };
    case 'call':
      return { name: 'Arguments', text: test.input };
    case 'check':
      return { name: 'Check', text: test.source };
    case 'reference':
      return { name: 'Inputs', text: referenceInputs(test).join('\n') };
  }
}

/** "2 of 3 passed", "1 of 3 passed, 2 not run". */
export function testsSummary(rows: readonly TestRow[]): string {
  if (rows.length === 0) return 'none';
  const passed = rows.filter((row) => row.result?.verdict === 'passed').length;
  const notRun = rows.filter((row) => row.result === null).length;
  if (notRun === rows.length) return `${rows.length} not run`;
  return `${passed} of ${rows.length} passed${notRun > 0 ? `, ${notRun} not run` : ''}`;
}

/** The change from the parent's program to the node's. */
export type ProgramChange =
  | { readonly kind: 'no-parent' }
  | { readonly kind: 'no-program' }
  | { readonly kind: 'parent-without-program' }
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly before: string; readonly after: string };

/** `parent` is the node's parent index; -1 is the root. */
export function programChange(parent: number, detail: NodeDetail): ProgramChange {
  if (parent === -1) return { kind: 'no-parent' };
  if (detail.program === null) return { kind: 'no-program' };
  if (detail.parentProgram === null) return { kind: 'parent-without-program' };
  if (detail.parentProgram === detail.program) return { kind: 'same' };
  return { kind: 'changed', before: detail.parentProgram, after: detail.program };
}
