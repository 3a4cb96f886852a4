import type { NodeDetail, TestCase, TestResult } from '../../../preload/contract';
import { referenceInputs, toleranceWords } from '../reference-inputs';

/** A test as the inspector tells it. */
export type TestRow = {
  /** From 1. */
  readonly number: number;
  readonly result: TestResult | null;
  /** What the test puts in, with its name: stdin, arguments, or the checking code itself. */
  readonly input: { readonly name: string; readonly text: string };
  readonly expected: string | null;
  /** The program whose results are expected, and how near they must be; null for other kinds of test. */
  readonly reference: { readonly program: string; readonly closeness: string } | null;
  readonly actual: string | null;
  readonly error: string | null;
};

export function testRows(tests: NodeDetail['publicTests']): TestRow[] {
  return tests.map(({ test, result }, i) => ({
    number: i + 1,
    result,
    input: inputOf(test),
    expected: 'expected' in test ? test.expected : null,
    reference:
      test.kind === 'reference'
        ? { program: test.reference, closeness: `what the reference gives${toleranceWords(test.tolerance)}` }
        : null,
    actual: result?.actual ?? null,
    error: result?.error ?? null,
  }));
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

/** What can be shown of the change from the parent's program to the node's. */
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
