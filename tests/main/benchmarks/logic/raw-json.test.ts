import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPythonJson, rawElements, rawFields } from '../../../../main/benchmarks/logic/raw-json';

describe('JSON as it is written', () => {
  it('is cut into parts that have the values of the whole', () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1), (list, indent) => {
        const plain = JSON.parse(JSON.stringify(list)) as unknown[];
        const elements = rawElements(JSON.stringify(list, null, indent));
        expect(elements?.map((text) => JSON.parse(text) as unknown)).toEqual(plain);
        const object = Object.fromEntries(plain.map((value, i) => [`"k\\${i}`, value]));
        const fields = rawFields(JSON.stringify(object, null, indent)) ?? new Map<string, string>();
        expect([...fields].map(([key, text]) => [key, JSON.parse(text) as unknown])).toEqual(
          Object.entries(object),
        );
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('keeps digits and words that JSON.parse would change or refuse', () => {
    expect(rawElements('[1.0, 12345678901234567890 ,NaN, -Infinity,1e400]')).toEqual([
      '1.0',
      '12345678901234567890',
      'NaN',
      '-Infinity',
      '1e400',
    ]);
  });

  it('reads a string of megabytes', () => {
    const text = JSON.stringify(['\\"'.repeat(2_000_000)]);
    expect(rawElements(text)?.[0]?.length).toBe(text.length - 2);
    expect(isPythonJson(text)).toBe(true);
  });

  it.each(['', '[', '[1', '[1,]', '[1 2]', '[,]', '1', '{}', '[}', '["a]', '[[1}]'])(
    '"%s" is not a list',
    (text) => {
      expect(rawElements(text)).toBeNull();
    },
  );

  it.each(['', '{', '{"a"}', '{"a":}', '{a:1}', '{"a":1,}', '[]', '{"a":1}x'])(
    '"%s" is not an object',
    (text) => {
      expect(rawFields(text)).toBeNull();
    },
  );

  it.each([
    ['[NaN, Infinity, -Infinity]', true],
    ['"NaN"', true],
    ['[nan]', false],
    ['[1, "a\\"NaN"]', true],
    ['[01]', false],
    ['NaNs', false],
    ['"a', false],
    ['', false],
  ])('%s: Python reads it: %s', (text, expected) => {
    expect(isPythonJson(text)).toBe(expected);
  });

  it.each([
    [1_000, true],
    [1_002, false],
    [2_000_000, false],
  ])('a list nested %i deep is read: %s', (depth, expected) => {
    const list = '['.repeat(depth) + ']'.repeat(depth);
    expect(isPythonJson(list)).toBe(expected);
    expect(rawElements(`[${list.slice(1, -1)}]`) !== null).toBe(expected);
    expect(rawFields(`{"a":${list.slice(1, -1)}}`) !== null).toBe(expected);
  });
});
