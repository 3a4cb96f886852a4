import { expect, test } from 'vitest';
import { pathsOf } from '../../../renderer/widgets/sparkline';

test('the newest value stands at the right edge, however few there are', () => {
  expect(pathsOf([0, 100], 121)).toEqual([['119.0,24.0', '120.0,0.0']]);
});

test('a value that is not known is a gap', () => {
  expect(pathsOf([10, null, 30, 40], 4).map((path) => path.length)).toEqual([1, 2]);
});

test('values beyond the range stay within the picture', () => {
  expect(pathsOf([-5, 250], 2)).toEqual([['0.0,24.0', '120.0,0.0']]);
});
