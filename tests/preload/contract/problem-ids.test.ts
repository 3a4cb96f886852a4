import { expect, it } from 'vitest';
import { pastedProblemIds, textOfProblemIds } from '../../../preload/contract/plans';

it.each([
  ['', []],
  ['  \n ', []],
  ['a', ['a']],
  ['a, b;c\td', ['a', 'b', 'c', 'd']],
  ['a\r\nb\n\na\n', ['a', 'b']],
  ['one, two\nthree', ['one, two', 'three']],
])('%j is the problems %j', (text, ids) => {
  expect(pastedProblemIds(text)).toEqual(ids);
});

it('gives back what it wrote, with commas in the ids or without', () => {
  for (const ids of [['a, b'], ['a', 'b;c'], []])
    expect(pastedProblemIds(textOfProblemIds(ids))).toEqual(ids);
});
