import type { TestCase } from '../../../preload/contract/problem';

type ReferenceTest = Extract<TestCase, { kind: 'reference' }>;

/**
 * The calls of a reference test, one per line, as arguments: "[1, 2], 3". Python literals are shown unparsed: only Python
 * can parse them reliably.
 */
export function referenceInputs({
  inputs,
  inputsForm,
}: Pick<ReferenceTest, 'inputs' | 'inputsForm'>): string[] {
  if (inputsForm === 'python') return [inputs];
  let calls: unknown;
  try {
    calls = JSON.parse(inputs);
  } catch {
    return [inputs];
  }
  if (!Array.isArray(calls)) return [inputs];
  return calls.map((call: unknown) =>
    Array.isArray(call)
      ? call.map((argument: unknown) => JSON.stringify(argument)).join(', ')
      : JSON.stringify(call),
  );
}

/** ", within 1e-6"; empty where numbers must be equal. */
export function toleranceText(tolerance: number): string {
  return tolerance === 0 ? '' : `, within ${tolerance}`;
}
