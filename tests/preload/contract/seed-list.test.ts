import { expect, test } from 'vitest';
import { readSeeds, requiredSeeds } from '../../../preload/contract/plans';

test.each([
  ['1, 2, 3', [1, 2, 3]],
  ['1 2;3', [1, 2, 3]],
  ['1-3', [1, 2, 3]],
  ['1-3, 7', [1, 2, 3, 7]],
  ['5-5', [5]],
  ['', []],
])('"%s" is the seeds %j', (text, seeds) => {
  expect(readSeeds(text, 20)).toEqual({ ok: true, value: seeds });
});

test.each([
  ['x', '"x" is not a seed'],
  ['-1', '"-1" is not a seed'],
  ['1-2-3', '"1-2-3" is not a seed'],
  ['1.5', '"1.5" is not a seed'],
  ['2147483648', '"2147483648" is not a seed'],
  ['3-1', '"3-1" goes down'],
  ['1-3, 2', 'Seed 2 is listed twice'],
  ['1-20, 30', 'At most 20 seeds'],
  ['0-2147483647', 'At most 20 seeds'],
])('"%s" is refused', (text, message) => {
  const read = readSeeds(text, 20);
  expect(read.ok ? '' : read.message).toContain(message);
});

test('a form without any seed asks for one', () => {
  expect(requiredSeeds(' ')).toEqual({ ok: false, message: 'Enter at least one seed, e.g. 1.' });
});
