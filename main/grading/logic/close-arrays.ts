import { baseOf, floatOfInteger, type PythonObject } from './python-value';

/** Numbers in a block of this shape, the last axis running fastest; a scalar has no axis. */
export type NumericArray = {
  readonly shape: readonly number[];
  readonly numbers: readonly { readonly real: number; readonly imaginary: number }[];
};

const MAX_INTEGER = 2n ** 64n;
const MIN_INTEGER = -(2n ** 63n);
/** numpy's, before version 2. */
const MAX_AXES = 32;
/**
 * Axes times positions that are compared, some seconds' work. Broadcasting makes n x n positions of n numbers, so a
 * candidate's list of n lists could otherwise cost the square of what is expected.
 */
const MAX_STEPS = 50_000_000;

/**
 * The value as a numpy array; null if that would hold no numbers, or if rows differ in length. An integer by itself may
 * be as large as a float; in a list it must fit into 64 bits.
 */
export function numericArray(value: PythonObject): NumericArray | null {
  const base = baseOf(value);
  if (base.kind !== 'int') return arrayOf(base);
  const number = floatOfInteger(base.digits);
  return Number.isFinite(number) ? scalar(number) : null;
}

function arrayOf(value: PythonObject, axes = 0): NumericArray | null {
  const base = baseOf(value);
  switch (base.kind) {
    case 'bool':
      return scalar(Number(base.value));
    case 'int': {
      if (!Number.isFinite(floatOfInteger(base.digits))) return null;
      const exact = BigInt(base.digits);
      return exact < MAX_INTEGER && exact >= MIN_INTEGER ? scalar(Number(exact)) : null;
    }
    case 'float':
      return scalar(base.value);
    case 'complex':
      return { shape: [], numbers: [{ real: base.real, imaginary: base.imaginary }] };
    case 'list':
    case 'tuple': {
      if (axes === MAX_AXES) return null;
      const rows = base.items.map((item) => arrayOf(item, axes + 1));
      const first = rows[0];
      if (first === undefined) return { shape: [0], numbers: [] };
      const shape = first?.shape.join();
      if (rows.some((row) => row === null || row.shape.join() !== shape)) return null;
      return {
        shape: [rows.length, ...(first?.shape ?? [])],
        numbers: rows.flatMap((row) => row?.numbers ?? []),
      };
    }
    default:
      return null;
  }
}

/** `numpy.allclose`: |a - b| <= absolute + relative * |b| everywhere, after broadcasting; NaN is close to nothing. */
export function allClose(
  left: NumericArray,
  right: NumericArray,
  relative: number,
  absolute: number,
): boolean {
  const axes = Math.max(left.shape.length, right.shape.length);
  const size = (array: NumericArray, axis: number) => array.shape[axis - (axes - array.shape.length)] ?? 1;
  const shape: number[] = [];
  for (let axis = 0; axis < axes; axis += 1) {
    const [a, b] = [size(left, axis), size(right, axis)];
    if (a !== b && a !== 1 && b !== 1) return false;
    shape.push(a === 1 ? b : a);
  }
  const count = shape.reduce((product, length) => product * length, 1);
  if (count * (axes + 1) > MAX_STEPS) return false;
  const at = (array: NumericArray, position: number) => {
    let rest = position;
    let index = 0;
    let step = 1;
    for (let axis = axes - 1; axis >= 0; axis -= 1) {
      const length = shape[axis] ?? 1;
      const own = size(array, axis);
      if (own !== 1) index += (rest % length) * step;
      rest = Math.floor(rest / length);
      step *= own;
    }
    return array.numbers[index];
  };
  for (let position = 0; position < count; position += 1) {
    const a = at(left, position);
    const b = at(right, position);
    if (a === undefined || b === undefined) return false;
    const isEqual = a.real === b.real && a.imaginary === b.imaginary;
    const hasEnd = Number.isFinite(b.real) && Number.isFinite(b.imaginary);
    const distance = Math.hypot(a.real - b.real, a.imaginary - b.imaginary);
    const isNear = hasEnd && distance <= absolute + relative * Math.hypot(b.real, b.imaginary);
    if (!isEqual && !isNear) return false;
  }
  return true;
}

function scalar(real: number): NumericArray {
  return { shape: [], numbers: [{ real, imaginary: 0 }] };
}
