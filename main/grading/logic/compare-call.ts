import { type JsonSize, jsonSize } from '../../base';
import { PYTHON_JSON_LIMITS, type PythonValue, parsePythonJson } from './python-json';

/**
 * `too-large`: the value is so much larger than the expected one that it cannot equal it. `no-expectation`: the expected
 * text is not JSON (or has millions of values), so no program can pass the test.
 */
export type CallComparison = 'equal' | 'different' | 'too-large' | 'no-expectation';

/**
 * Compares a returned value with the expected one, both as JSON texts, by Python's `==` as LiveCodeBench uses it
 * (lcb_runner/evaluation/testing_util.py): True == 1 == 1.0, integers are exact at any size, there is no tolerance for
 * floats, NaN equals nothing.
 */
export function compareCall(actual: string, expected: string): CallComparison {
  const size = jsonSize(expected, PYTHON_JSON_LIMITS);
  const expectedValue = parsePythonJson(expected);
  if (!size.ok || !expectedValue.ok) return 'no-expectation';
  const limits = largestEqual(size.value);
  if (actual.length > longestEqual(expected, size.value) || !jsonSize(actual, limits).ok) return 'too-large';
  const actualValue = parsePythonJson(actual, limits);
  return actualValue.ok && valuesEqual(actualValue.value, expectedValue.value) ? 'equal' : 'different';
}

/**
 * Limits of a candidate's value: equal values have equal structures. So what a candidate returns costs no more time and
 * memory than what the test expects, however large it is. Twice and some more: keys may occur twice.
 */
function largestEqual({ depth, parts }: JsonSize): JsonSize {
  return { depth: 2 * depth + 100, parts: 2 * parts + 1_000 };
}

/** Characters: an escape takes six for one, and an integer that equals "1e308" has 309 digits. */
function longestEqual(expected: string, { parts }: JsonSize): number {
  return 6 * expected.length + 400 * parts + 10_000;
}

function valuesEqual(left: PythonValue, right: PythonValue): boolean {
  const pairs: [PythonValue, PythonValue][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a.kind === 'list' && b.kind === 'list') {
      if (a.items.length !== b.items.length) return false;
      for (const [i, item] of a.items.entries()) pairs.push([item, b.items[i] as PythonValue]);
    } else if (a.kind === 'dict' && b.kind === 'dict') {
      if (a.entries.size !== b.entries.size) return false;
      for (const [key, item] of a.entries) {
        const other = b.entries.get(key);
        if (other === undefined) return false;
        pairs.push([item, other]);
      }
    } else if (!scalarsEqual(a, b)) return false;
  }
  return true;
}

function scalarsEqual(a: PythonValue, b: PythonValue): boolean {
  const left = integerDigits(a);
  const right = integerDigits(b);
  if (left !== null && right !== null) return left === right;
  if (a.kind === 'float' && b.kind === 'float') return a.value === b.value;
  if (a.kind === 'float' && right !== null) return floatEqualsInteger(a.value, right);
  if (b.kind === 'float' && left !== null) return floatEqualsInteger(b.value, left);
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value;
  return a.kind === 'null' && b.kind === 'null';
}

/** True is 1 and False is 0. */
function integerDigits(value: PythonValue): string | null {
  if (value.kind === 'integer') return value.digits;
  if (value.kind === 'boolean') return value.value ? '1' : '0';
  return null;
}

/** By exact value: 2^53 + 1 as an integer equals no float. */
function floatEqualsInteger(float: number, digits: string): boolean {
  return Number.isInteger(float) && BigInt(float).toString() === digits;
}
