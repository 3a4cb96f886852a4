import { describe, expect, test, vi } from 'vitest';
import { compareStdout } from '../../../../main/grading/logic/compare-stdout';

const cases: readonly [claim: string, equal: boolean, actual: string, expected: string][] = [
  ['equal texts', true, 'a b\nc', 'a b\nc'],
  ['blanks around the whole and around lines do not count', true, '\n a \t\n b\n\n', 'a\nb'],
  ['a carriage return at the end of a line does not count', true, 'a\r\nb\r\n', 'a\nb\n'],
  ['blanks inside a line of words count', false, 'a  b', 'a b'],
  ['blanks inside a line of numbers do not', true, '1   2', '1 2'],
  ['another number of lines', false, 'a\nb', 'a b'],
  ['an empty line inside', false, 'a\n\nb', 'a\nb'],
  ['upper and lower case', false, 'Yes', 'YES'],
  ['trailing zeros of decimals', true, '1.50 2', '1.5 2.0'],
  ['a difference in the last place', false, '0.30000000000000004', '0.3'],
  ['exponents', true, '1e3 1.5E-2 +7', '1000 0.015 7'],
  ['minus zero', true, '-0.0', '0'],
  ['another sign', false, '-1', '1'],
  ['integers past 2^53 stay exact', false, '9007199254740993', '9007199254740992'],
  ['digits of any number', true, `${'1'.repeat(400)}.0`, '1'.repeat(400)],
  ['a point without digits on one side', true, '.5 5.', '0.5 5'],
  ['a point alone is no number', false, '.', '0'],
  ['a word beside a number', false, '1.0 x', '1 x'],
  ['underscores, as Python reads them', true, '1_000', '1000'],
  ['infinities', true, 'inf', 'Infinity'],
  ['NaN in different words equals nothing', false, 'NaN', '+nan'],
  ['NaN in the same words is the same text', true, 'nan', 'nan'],
  ['nothing and nothing', true, '', ' \n'],
  ['nothing and something', false, '', '0'],
  ['the separators that Python takes for blanks', true, '\x1c1\x1f2\x85', '1 2'],
  ['the byte order mark is no blank', false, '\ufeffa', 'a'],
];

describe('stdout by LiveCodeBench’s rules', () => {
  for (const [claim, equal, actual, expected] of cases) {
    test(`${claim}: ${equal ? 'equal' : 'different'}`, () =>
      expect(compareStdout(actual, expected)).toBe(equal));
  }

  test('lines and words are compared one by one, so that no output is split as a whole', () => {
    const split = vi.spyOn(String.prototype, 'split');
    try {
      expect(compareStdout(`a${'\n'.repeat(30e6)}a`, 'b')).toBe(false);
      expect(compareStdout('1 '.repeat(30e6), '1.0')).toBe(false);
      expect(split).not.toHaveBeenCalled();
    } finally {
      split.mockRestore();
    }
  });

  test('numbers may be padded by a million zeros in all, and not by more', () => {
    const padded = (zeros: number): string => `${'0'.repeat(zeros)}1 ${'0'.repeat(zeros)}2`;
    expect(compareStdout(padded(400_000), '1 2')).toBe(true);
    expect(compareStdout(padded(600_000), '1 2')).toBe(false);
  });

  test('hostile megabytes are compared in linear time', () => {
    expect(compareStdout(`a${' '.repeat(2_000_000)}b`, 'a')).toBe(false);
    expect(compareStdout(`1${'0'.repeat(2_000_000)}1`, '1')).toBe(false);
  });
});
