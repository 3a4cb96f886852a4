import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonErrorOffset } from '../../../main/exhibits/logic/json-error-offset';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('a fault is found in just those texts that JSON.parse refuses', () => {
  const piece = fc.constantFrom(
    ...'{}[]:,"\\ \n\t',
    'true',
    'null',
    '1',
    '-0.5e3',
    '01',
    '"a"',
    '\\u00e9',
    'x',
    '.',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((all) => all.join('')),
        fc.json(),
        fc.string(),
      ),
      (text) => {
        expect(jsonErrorOffset(text) === null).toBe(isJson(text));
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a foreign character in a JSON text is located, or else the first error that it causes', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, offset) => {
      const at = offset % (text.length + 1);
      const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
      const errorAt = jsonErrorOffset(broken);
      // In a string the whole string is invalid, so its start is reported.
      expect(errorAt).not.toBeNull();
      expect(errorAt).toBeLessThanOrEqual(at);
      expect(broken.slice(errorAt ?? 0, at)).toMatch(/^$|^"|^[-\d.eE+a-z]+$/);
    }),
  );
});

test.each([
  ['', 0],
  ['{"a": 1,}', 8],
  ['[1, 2', 5],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['{"a": b}', 6],
  ['1 2', 2],
  ['["a\nb"]', 1],
])('of %j it is character %d', (text, at) => {
  expect(jsonErrorOffset(text)).toBe(at);
});
