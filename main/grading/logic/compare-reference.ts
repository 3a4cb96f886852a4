import { assertNever } from '../../base';
import { allClose, numericArray } from './close-arrays';
import { baseOf, floatOfInteger, type PythonObject, typeName } from './python-value';

/** Relative tolerance, as `numpy.testing.assert_allclose` has it. */
const RELATIVE = 1e-7;
/** Absolute tolerance where a float is expected and the problem names none. */
const FLOAT_TOLERANCE = 1e-6;

/** Problems of MBPP+ whose lists are compared as sets; the runner makes the sets. */
const SET_FUNCTIONS: ReadonlySet<string> = new Set([
  'similar_elements',
  'find_char_long',
  'common_in_nested_lists',
  'extract_singly',
  'larg_nnum',
  'intersection_array',
  'find_dissimilar',
  'Diff',
]);
/** Problems of MBPP+ that only ask whether something was found. */
const FOUND_FUNCTIONS: ReadonlySet<string> = new Set(['check_str', 'text_match_three', 'text_starta_endb']);

export function comparesAsSets(entryPoint: string | null): boolean {
  return entryPoint !== null && SET_FUNCTIONS.has(entryPoint);
}

/**
 * EvalPlus' comparison of results in turn (evalplus/eval/__init__.py, commit 26d6d00). As published, once a float was
 * expected, all later results are compared with its tolerance: `sticky` keeps that behaviour.
 */
export class ReferenceComparison {
  readonly #entryPoint: string;
  readonly #sticky: boolean;
  readonly #tolerance: number;
  #currentTolerance: number;

  constructor(options: { entryPoint: string | null; tolerance: number; sticky: boolean }) {
    this.#entryPoint = options.entryPoint ?? '';
    this.#sticky = options.sticky;
    this.#tolerance = options.tolerance;
    this.#currentTolerance = options.tolerance;
  }

  /** Whether the result counts as the expected one. `args` is used only by the few functions with their own rules. */
  agrees(args: readonly unknown[], actual: PythonObject, expected: PythonObject): boolean {
    const before = this.#sticky ? this.#currentTolerance : this.#tolerance;
    if (this.#entryPoint === 'find_zero') return isZeroOf(args, actual, before);
    const exact = this.#isExact(args, actual, expected, before);
    const tolerance = before === 0 && isFloats(expected) ? FLOAT_TOLERANCE : before;
    this.#currentTolerance = tolerance;
    return exact || (tolerance !== 0 && isClose(actual, expected, tolerance));
  }

  #isExact(
    args: readonly unknown[],
    actual: PythonObject,
    expected: PythonObject,
    tolerance: number,
  ): boolean {
    const name = this.#entryPoint;
    // A boolean says whether something was found; in the reference's result only None means no.
    if (FOUND_FUNCTIONS.has(name)) {
      const isFound = actual.kind === 'bool' ? actual.value : actual.kind !== 'none';
      return isFound === (expected.kind !== 'none');
    }
    if (name === 'are_equivalent' || pythonEquals(actual, expected)) return true;
    const given = numberOf(actual);
    if (given === null) return false;
    if (name === 'sum_div') return given === 0;
    if (name === 'surface_Area') return Math.abs(given - pyramidSurface(args)) <= tolerance;
    return name === 'digit_distance_nums' && given === digitDistance(args);
  }
}

/** Python's `==` between values of the kinds that are known; NaN and `other` equal nothing. */
function pythonEquals(left: PythonObject, right: PythonObject): boolean {
  const a = canonical(left);
  return a !== null && a === canonical(right);
}

/** A text that is the same for equal values; null for values that equal nothing. */
function canonical(value: PythonObject): string | null {
  switch (value.kind) {
    case 'none':
      return 'none';
    case 'bool':
      return value.value ? '1' : '0';
    case 'int':
      return value.digits;
    case 'float':
      return canonicalFloat(value.value);
    case 'complex': {
      const real = canonicalFloat(value.real);
      const imaginary = canonicalFloat(value.imaginary);
      return imaginary === '0' || real === null || imaginary === null ? real : `${real}+${imaginary}j`;
    }
    case 'str':
      return JSON.stringify(value.text);
    case 'bytes':
      return `b${value.text}`;
    case 'list':
    case 'tuple': {
      const items = canonicalAll(value.items);
      return items === null ? null : `${value.kind}[${items.join()}]`;
    }
    case 'set':
    case 'frozenset': {
      const items = canonicalAll(value.items);
      return items === null ? null : `set[${items.sort().join()}]`;
    }
    case 'dict': {
      const entries = canonicalAll(value.entries.map((entry) => ({ kind: 'tuple', items: entry }) as const));
      return entries === null ? null : `dict[${entries.sort().join()}]`;
    }
    case 'of':
      return canonical(value.base);
    case 'value':
      return `${value.name}(${JSON.stringify(value.text)})`;
    case 'other':
      return null;
    default:
      return assertNever(value);
  }
}

function canonicalAll(items: readonly PythonObject[]): string[] | null {
  const texts: string[] = [];
  for (const item of items) {
    const text = canonical(item);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}

/** Whole floats look like integers, because they equal them. */
function canonicalFloat(value: number): string | null {
  if (Number.isNaN(value)) return null;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function isFloats(value: PythonObject): boolean {
  const base = baseOf(value);
  if (base.kind !== 'list' && base.kind !== 'tuple') return base.kind === 'float';
  return base.items.length > 0 && base.items.every((item) => baseOf(item).kind === 'float');
}

function isClose(actual: PythonObject, expected: PythonObject, tolerance: number): boolean {
  if (typeName(actual) !== typeName(expected)) return false;
  const [given, wanted] = [baseOf(actual), baseOf(expected)];
  if (
    (wanted.kind === 'list' || wanted.kind === 'tuple') &&
    !(given.kind === wanted.kind && given.items.length === wanted.items.length)
  ) {
    return false;
  }
  const left = numericArray(actual);
  const right = numericArray(expected);
  return left !== null && right !== null && allClose(left, right, RELATIVE, tolerance);
}

function numberOf(value: PythonObject): number | null {
  const base = baseOf(value);
  if (base.kind === 'float') return base.value;
  if (base.kind === 'int') return floatOfInteger(base.digits);
  return base.kind === 'bool' ? Number(base.value) : null;
}

/** HumanEval/32: any zero of the polynomial is right. */
function isZeroOf(args: readonly unknown[], actual: PythonObject, tolerance: number): boolean {
  const x = numberOf(actual);
  const [coefficients] = args;
  if (x === null || !Array.isArray(coefficients)) return false;
  const sum = coefficients.reduce<number>((total, factor, power) => total + Number(factor) * x ** power, 0);
  return Math.abs(sum) <= tolerance;
}

/** Mbpp/581: surface of a square pyramid by its height, rounded as Python rounds (half to even). */
function pyramidSurface(args: readonly unknown[]): number {
  const [edge, height] = args.map(Number);
  if (edge === undefined || height === undefined) return Number.NaN;
  const area = edge ** 2 + (4 * (edge * Math.sqrt((edge / 2) ** 2 + height ** 2))) / 2;
  const below = Math.floor(area);
  if (area - below !== 0.5) return Math.round(area);
  return below % 2 === 0 ? below : below + 1;
}

/** Mbpp/558: the numbers' digits, the shorter one with zeros in front. */
function digitDistance(args: readonly unknown[]): number {
  const [left = '', right = ''] = args.map(String);
  const width = Math.max(left.length, right.length);
  const padded = right.padStart(width, '0');
  return [...left.padStart(width, '0')].reduce(
    (sum, digit, i) => sum + Math.abs(Number(digit) - Number(padded[i])),
    0,
  );
}
