import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonSize, parsedJsonWithin } from '../../../../main/base';
import { parsePythonJson } from '../../../../main/grading/logic/python-json';

const UNLIMITED = { depth: Number.POSITIVE_INFINITY, parts: Number.POSITIVE_INFINITY };

/** Depth, and values and keys, of a parsed value. */
function measured(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(measured);
  const keys = Array.isArray(value) ? 0 : inner.length;
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + keys + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

describe('the size of a JSON text', () => {
  test('is known without parsing: its depth, and no fewer parts than values and keys', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const size = jsonSize(text, UNLIMITED);
        const { depth, values } = measured(JSON.parse(text));
        expect(size.ok && size.value.depth).toBe(depth);
        expect(size.ok && size.value.parts + 1).toBeGreaterThanOrEqual(values);
      }),
      { seed: 1 },
    );
  });

  test('counts nothing inside of strings, whatever they hold', () => {
    expect(jsonSize('["[[,\\"[:", "\\\\"]', UNLIMITED)).toEqual({ ok: true, value: { depth: 1, parts: 2 } });
  });

  test('is refused at the first character beyond a limit', () => {
    expect(jsonSize('[[[', { depth: 2, parts: 9 })).toEqual({ ok: false, error: { at: 2 } });
    expect(jsonSize('[1,2,3,4', { depth: 9, parts: 3 })).toEqual({ ok: false, error: { at: 6 } });
    expect(parsedJsonWithin('[[1]]', { depth: 1, parts: 9 })).toBeUndefined();
    expect(parsedJsonWithin('[[1]]', { depth: 2, parts: 9 })).toEqual([[1]]);
  });
});

test.each([
  ['60 MiB of brackets', '['.repeat(60 * 1024 ** 2), 100_000],
  ['60 MiB of lists in one', `[${'[],'.repeat(20 * 1024 ** 2)}1]`, 6_000_000],
])('Python’s reader refuses %s where they pass its limits, before it builds anything', (_, text, most) => {
  const read = parsePythonJson(text);
  expect(read.ok).toBe(false);
  expect(read.ok ? 0 : read.error.at).toBeLessThanOrEqual(most);
});
