/**
 * The operations of the pocket language: one step of a pipeline over a list of integers, in the manner of the DeepCoder
 * language (Balog et al. 2017). One table holds the meaning of each operation, its wording in statements and its Python
 * code, so that the three always agree.
 */
import { filterStep, mapStep, type Operation, type Skill, sliceStep, step } from './operation-kinds';

function ascending(xs: readonly number[]): number[] {
  return [...xs].sort((a, b) => a - b);
}

function running(xs: readonly number[], combine: (held: number, x: number) => number): number[] {
  const result: number[] = [];
  for (const x of xs) {
    const previous = result[result.length - 1];
    result.push(previous === undefined ? x : combine(previous, x));
  }
  return result;
}

function zipSum(xs: readonly number[], ys: readonly number[]): number[] {
  const length = Math.min(xs.length, ys.length);
  return Array.from({ length }, (_, i) => (xs[i] ?? 0) + (ys[i] ?? 0));
}

/** The order is part of every checkpoint: append only, and raise CHECKPOINT_VERSION when you do. */
export const OPERATIONS: readonly Operation[] = [
  step(
    'sort',
    'order',
    ascending,
    ['sort the numbers in ascending order', 'line the numbers up with the smallest in front'],
    'xs = sorted(xs)',
    ['xs = list(xs)', 'xs.sort()'],
  ),
  step(
    'sort-descending',
    'order',
    (xs) => ascending(xs).reverse(),
    ['sort the numbers in descending order', 'line the numbers up with the largest in front'],
    'xs = sorted(xs, reverse=True)',
    ['xs = list(xs)', 'xs.sort(reverse=True)'],
  ),
  step(
    'reverse',
    'order',
    (xs) => [...xs].reverse(),
    ['reverse the list', 'turn the list back to front'],
    'xs = xs[::-1]',
    'xs = list(reversed(xs))',
  ),
  sliceStep('take-2', (xs) => xs.slice(0, 2), ':2', 'i < 2', [
    'keep the first two numbers',
    'cut the list off after its second number',
  ]),
  sliceStep('take-3', (xs) => xs.slice(0, 3), ':3', 'i < 3', [
    'keep the first three numbers',
    'cut the list off after its third number',
  ]),
  sliceStep('drop-1', (xs) => xs.slice(1), '1:', 'i >= 1', [
    'drop the first number',
    'remove the number at the front',
  ]),
  sliceStep('drop-2', (xs) => xs.slice(2), '2:', 'i >= 2', [
    'drop the first two numbers',
    'remove the two numbers at the front',
  ]),
  sliceStep('drop-last', (xs) => xs.slice(0, -1), ':-1', 'i < len(xs) - 1', [
    'drop the last number',
    'remove the number at the end',
  ]),
  step(
    'unique',
    'keep',
    (xs) => [...new Set(xs)],
    ['remove repeated numbers', 'keep each value only where it occurs first'],
    'xs = list(dict.fromkeys(xs))',
    'xs = [x for i, x in enumerate(xs) if x not in xs[:i]]',
  ),
  filterStep('even', (x) => x % 2 === 0, 'x % 2 == 0', [
    'keep only the even numbers',
    'remove everything that is odd',
  ]),
  filterStep('odd', (x) => x % 2 !== 0, 'x % 2 == 1', [
    'keep only the odd numbers',
    'remove everything that is even',
  ]),
  filterStep('positive', (x) => x > 0, 'x > 0', [
    'keep only the positive numbers',
    'remove everything that is zero or less',
  ]),
  filterStep('negative', (x) => x < 0, 'x < 0', [
    'keep only the negative numbers',
    'remove everything that is zero or more',
  ]),
  mapStep('plus-1', 'shift', (x) => x + 1, 'x + 1', ['add one to each number', 'raise each number by one']),
  mapStep('minus-1', 'shift', (x) => x - 1, 'x - 1', [
    'subtract one from each number',
    'lower each number by one',
  ]),
  mapStep('times-2', 'scale', (x) => x * 2, 'x * 2', ['double each number', 'multiply each number by two']),
  mapStep('times-3', 'scale', (x) => x * 3, 'x * 3', ['triple each number', 'multiply each number by three']),
  // 0 - x and not -x: a negative zero is no Python integer.
  mapStep('negate', 'scale', (x) => 0 - x, '-x', [
    'flip the sign of each number',
    'multiply each number by minus one',
  ]),
  mapStep('half', 'scale', (x) => Math.floor(x / 2), 'x // 2', [
    'halve each number and round down',
    'divide each number by two and round down',
  ]),
  mapStep('square', 'nonneg', (x) => x * x, 'x * x', [
    'square each number',
    'multiply each number by itself',
  ]),
  mapStep('absolute', 'nonneg', Math.abs, 'abs(x)', [
    'take the absolute value of each number',
    'remove the sign of each number',
  ]),
  step(
    'running-sum',
    'scan',
    (xs) => running(xs, (held, x) => held + x),
    ['replace each number by the sum of all numbers up to it', 'form the running totals'],
    'xs = [sum(xs[:i + 1]) for i in range(len(xs))]',
    ['total, sums = 0, []', 'for x in xs:', '    total += x', '    sums.append(total)', 'xs = sums'],
  ),
  step(
    'running-max',
    'scan',
    (xs) => running(xs, Math.max),
    ['replace each number by the largest number up to it', 'form the running maximum'],
    'xs = [max(xs[:i + 1]) for i in range(len(xs))]',
    ['peaks = []', 'for x in xs:', '    peaks.append(max(peaks[-1], x) if peaks else x)', 'xs = peaks'],
  ),
  step(
    'differences',
    'scan',
    (xs) => xs.slice(1).map((x, i) => x - (xs[i] ?? 0)),
    ['replace the list by the differences of neighbours', 'subtract each number from the one after it'],
    'xs = [b - a for a, b in zip(xs, xs[1:])]',
    'xs = [xs[i + 1] - xs[i] for i in range(len(xs) - 1)]',
  ),
  step(
    'add-reverse',
    'zip',
    (xs) => zipSum(xs, [...xs].reverse()),
    ['add to each number its mirror image in the list', 'add the reversed list place by place'],
    'xs = [a + b for a, b in zip(xs, xs[::-1])]',
    'xs = [xs[i] + xs[-1 - i] for i in range(len(xs))]',
  ),
  step(
    'add-original',
    'zip',
    zipSum,
    ['add the original list place by place', 'add to each number the input number at the same place'],
    'xs = [a + b for a, b in zip(xs, original)]',
    'xs = [xs[i] + original[i] for i in range(min(len(xs), len(original)))]',
  ),
  step(
    'add-index',
    'zip',
    (xs) => xs.map((x, i) => x + i),
    ['add to each number its place counted from zero', 'increase each number by its index'],
    'xs = [x + i for i, x in enumerate(xs)]',
    'xs = [xs[i] + i for i in range(len(xs))]',
  ),
  step(
    'sum',
    'report',
    (xs) => xs.reduce((held, x) => held + x, 0),
    ['give the sum', 'add up all the numbers'],
    'answer = sum(xs)',
    ['answer = 0', 'for x in xs:', '    answer += x'],
  ),
  step(
    'max',
    'report',
    (xs) => (xs.length === 0 ? 'error' : Math.max(...xs)),
    ['give the largest number', 'report the maximum'],
    'answer = max(xs)',
    'answer = sorted(xs)[-1]',
  ),
  step(
    'min',
    'report',
    (xs) => (xs.length === 0 ? 'error' : Math.min(...xs)),
    ['give the smallest number', 'report the minimum'],
    'answer = min(xs)',
    'answer = sorted(xs)[0]',
  ),
  step(
    'count',
    'report',
    (xs) => xs.length,
    ['give how many numbers there are', 'count the numbers'],
    'answer = len(xs)',
    'answer = sum(1 for x in xs)',
  ),
  step(
    'last',
    'report',
    (xs) => xs[xs.length - 1] ?? 'error',
    ['give the last number', 'report what stands at the end'],
    'answer = xs[-1]',
    'answer = xs[len(xs) - 1]',
  ),
  step(
    'first',
    'report',
    (xs) => xs[0] ?? 'error',
    ['give the first number', 'report what stands at the front'],
    'answer = xs[0]',
    'answer = next(iter(xs))',
  ),
];

/** The symbol that ends a program, one past the last operation. */
export const STOP = OPERATIONS.length;
/** Operations and STOP. */
export const SYMBOLS = OPERATIONS.length + 1;

/** Indices into OPERATIONS; a `report` operation stands only in last place. */
export type Program = readonly number[];

export function operationAt(index: number): Operation {
  const operation = OPERATIONS[index];
  if (operation === undefined) throw new RangeError(`No pocket operation has the index ${index}`);
  return operation;
}

/** The index of the operation with this name; an unknown name is a bug. */
export function operationIndex(name: string): number {
  const index = OPERATIONS.findIndex((operation) => operation.name === name);
  if (index < 0) throw new RangeError(`No pocket operation is called ${name}`);
  return index;
}

/** Indices of all operations with one of these skills. */
export function operationsOf(skills: readonly Skill[]): readonly number[] {
  return OPERATIONS.flatMap((operation, index) => (skills.includes(operation.skill) ? [index] : []));
}
