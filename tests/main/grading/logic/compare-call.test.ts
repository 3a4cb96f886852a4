import { describe, expect, test } from 'vitest';
import { compareCall } from '../../../../main/grading/logic/compare-call';

const cases: readonly [claim: string, equal: boolean, actual: string, expected: string][] = [
  ['True is 1', true, 'true', '1'],
  ['False is 0.0', true, 'false', '0.0'],
  ['True is not 2', false, 'true', '2'],
  ['1 is 1.0', true, '1', '1.0'],
  ['1e3 is 1000', true, '1e3', '1000'],
  ['-0 is 0', true, '-0', '0'],
  ['-0.0 is 0', true, '-0.0', '0'],
  ['no tolerance for floats', false, '0.30000000000000004', '0.3'],
  ['equal floats in different digits', true, '0.10', '0.1'],
  ['integers past 2^53 stay exact', false, '9007199254740993', '9007199254740992'],
  ['an integer past 2^53 and its nearest float', false, '9007199254740993', '9007199254740992.0'],
  ['an integer that a float holds', true, '9007199254740992', '9007199254740992.0'],
  ['NaN is not NaN', false, 'NaN', 'NaN'],
  ['infinities', true, '[Infinity, -Infinity]', '[1e999, -1e999]'],
  ['lists in order', false, '[1, 2]', '[2, 1]'],
  ['lists of other length', false, '[1]', '[1, 1]'],
  ['dicts in any order', true, '{"a": 1, "b": [true]}', '{"b": [1.0], "a": 1}'],
  ['dicts with other keys', false, '{"a": 1}', '{"b": 1}'],
  ['the last of equal keys', true, '{"a": 1, "a": 2}', '{"a": 2}'],
  ['a key named __proto__', false, '{"__proto__": 1}', '{}'],
  ['null is not 0, "" or false', false, '[null, null, null]', '[0, "", false]'],
  ['text is no number', false, '"1"', '1'],
  ['escapes in texts', true, '"\\u00e4\\n"', '"ä\\n"'],
  ['blanks around', true, ' [ 1 ,2 ] ', '[1,2]'],
  ['empty list and empty dict', false, '[]', '{}'],
];

describe('values by Python’s equality', () => {
  for (const [claim, equal, actual, expected] of cases) {
    test(`${claim}: ${equal ? 'equal' : 'different'}`, () =>
      expect(compareCall(actual, expected)).toBe(equal ? 'equal' : 'different'));
  }

  test.each([
    ['60 MiB of brackets', '['.repeat(60 * 1024 ** 2), '[[1], 2]'],
    ['nested deeper', `${'['.repeat(500)}${']'.repeat(500)}`, '[[1], 2]'],
    ['of far more items', `[${'1,'.repeat(3_000)}1]`, '[1, 1]'],
    ['of 60 MB of digits', '1'.repeat(60e6), '1'],
  ])('a value far larger than the expected one is not parsed: %s', (_, actual, expected) => {
    expect(compareCall(actual, expected)).toBe('too-large');
  });

  test('the largest texts of a value that can be equal are compared', () => {
    const digits = BigInt(1e308).toString();
    expect(compareCall(`[${Array(500).fill(digits).join(', ')}]`, `[${Array(500).fill('1e308')}]`)).toBe(
      'equal',
    );
    const escaped = '\\u00e4'.repeat(100_000);
    expect(compareCall(`"${escaped}"`, `"${'ä'.repeat(100_000)}"`)).toBe('equal');
  });

  test('an expected value of 100,000 lists in one another is compared', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(compareCall(deep, deep)).toBe('equal');
  });

  test('an expected text that is not JSON gets its own verdict', () => {
    for (const text of ['', '[1', '[1,]', '{"a"}', '01', "'a'", '1 2', '"\n"', '"a', 'nan']) {
      expect([text, compareCall('1', text)]).toEqual([text, 'no-expectation']);
    }
  });

  test('a value that is not JSON equals nothing', () => expect(compareCall('{1}', '1')).toBe('different'));
});
