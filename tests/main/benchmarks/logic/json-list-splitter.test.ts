import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonListSplitter } from '../../../../main/benchmarks/logic/json-list-splitter';

function split(text: string, chunk: number, maxBytes = 1_000_000): string[] {
  const bytes = Buffer.from(text);
  const splitter = new JsonListSplitter(maxBytes);
  const elements: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    for (const pieces of splitter.push(bytes.subarray(at, at + chunk))) {
      elements.push(Buffer.concat(pieces).toString('utf8'));
    }
  }
  splitter.finish();
  return elements;
}

describe('a JSON list', () => {
  it('is cut into its elements, whatever they are and however it is chunked', () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2), (values, chunk, indent) => {
        const elements = split(` ${JSON.stringify(values, null, indent)}\n`, chunk);
        expect(elements.map((element) => JSON.parse(element) as unknown)).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it('with backslashes at the ends of strings and of chunks keeps them', () => {
    const values = ['\\', '\\\\', '"', '\\"', 'a\\', '[', ']', ','];
    for (let chunk = 1; chunk < 12; chunk++) {
      expect(split(JSON.stringify(values), chunk).map((one) => JSON.parse(one) as unknown)).toEqual(values);
    }
  });

  it.each([
    ['{}', 'it is not a JSON list.'],
    ['[1 2]', 'no comma follows entry 1.'],
    ['[1,]', 'entry 2 is missing.'],
    ['[,1]', 'entry 1 is missing.'],
    ['[1] 2', 'something follows its JSON list (its last entry is 1).'],
    ['[1', 'its JSON list is cut off before its end (its entry 1).'],
    ['["a', 'its JSON list is cut off before its end (its entry 1).'],
    ['', 'its JSON list is cut off before its end (its entry 0).'],
    ['[}]', 'entry 1 is missing.'],
  ])('%s is refused', (text, message) => {
    for (const chunk of [1, 2, 100]) expect(() => split(text, chunk)).toThrow(message);
  });

  it('holds no element beyond its limit', () => {
    expect(() => split(`["${'a'.repeat(200)}"]`, 10, 100)).toThrow('entry 1 is too long.');
  });
});
