import { describe, expect, it } from 'vitest';
import { pythonLiteral } from '../../../../main/benchmarks/logic/python-literal';
import { pythonTokens } from '../../../../main/benchmarks/logic/python-tokens';

const read = (source: string) => pythonLiteral(pythonTokens(source) ?? []);

describe('a Python literal', () => {
  it.each([
    ['1', '1.0'],
    ['True', '1'],
    ['-0', '0'],
    ['0x10', '16'],
    ['1_000', '1000'],
    ["'a'", '"a"'],
    [String.raw`'\n'`, String.raw`"\n"`],
    [String.raw`r'\n'`, String.raw`'\\n'`],
    ['[1,2]', '[ 1 , 2, ]'],
    ['(1)', '1'],
    ['{1: 2, 3: 4}', '{3: 4, 1: 2}'],
    ['{1, 2}', '{2, 1, 2}'],
  ])('%s equals %s', (left, right) => {
    expect(read(left)?.value).not.toBeNull();
    expect(read(left)).toEqual(read(right));
  });

  it.each([
    ['1', '2'],
    ['1', '-1'],
    ['1', "'1'"],
    ['(1,)', '[1]'],
    ['(1,)', '1'],
    ['()', '[]'],
    ['{}', '[]'],
    ["b'a'", "'a'"],
    ['[[1], 2]', '[[1, 2]]'],
    ["['a', 'b']", "['a,b']"],
    ['{1: 2}', '{1, 2}'],
    ['None', 'False'],
  ])('%s differs from %s', (left, right) => {
    expect(read(left)).not.toBeNull();
    expect(read(left)).not.toEqual(read(right));
  });

  it.each([String.raw`'\x41'`, '9007199254740993', String.raw`['\u00e9', 1]`])(
    '%s is one, but is not compared',
    (source) => expect(read(source)).toEqual({ value: null }),
  );

  it.each([
    '',
    '1 2',
    '1,',
    '1, 2',
    '[1',
    '1]',
    '(1]',
    '[,]',
    '[1,,2]',
    'x',
    'f(1)',
    '1 + 1',
    '--1',
    '-True',
    "f'a'",
    "'a' 'b'",
    '2j',
    '{1:}',
    '{:1}',
    '{1: 2, 3}',
    '{1, 2: 3}',
    '{1: 2: 3}',
    '[1: 2]',
    '1: 2',
    '-',
    "'a",
    '"""a"""',
    '[1 for x in y]',
    '1; 2',
  ])('is not %s', (source) => expect(read(source)).toBeNull());
});
