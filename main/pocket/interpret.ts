import type { Outcome, Value } from './operation-kinds';
import { operationAt, type Program } from './operations';

function isExact(value: Value): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  for (const x of value) if (!Number.isSafeInteger(x)) return false;
  return true;
}

/** One step. A step after a number is an error, as in Python, where a number is not a list. */
export function applyOperation(operation: number, before: Outcome, original: readonly number[]): Outcome {
  if (before === 'error' || before === 'too-big') return before;
  if (typeof before === 'number') return 'error';
  const after = operationAt(operation).apply(before, original);
  if (after === 'error') return after;
  return isExact(after) ? after : 'too-big';
}

/** The program's result for this input, equal to that of its Python renderings, unless it is `too-big`. */
export function interpret(program: Program, input: readonly number[]): Outcome {
  let value: Outcome = input;
  for (const operation of program) value = applyOperation(operation, value, input);
  return value;
}

export function isValue(outcome: Outcome): outcome is Value {
  return typeof outcome !== 'string';
}

export function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
