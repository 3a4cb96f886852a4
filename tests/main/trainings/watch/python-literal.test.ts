import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PythonValue, pythonLiteral } from '../../../../main/trainings/logic/watch/python-literal';
import { byPython } from '../../../support/by-python';

const parsed = (text: string): PythonValue | undefined => pythonLiteral(text)?.value;

/** JSON's values as our reader gives them. */
function asRead(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRead);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, one]) => [key, asRead(one)]));
}

describe('a literal as Python prints it', () => {
  test('is read as Python means it, for any value', () => {
    const values = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 300, seed: 5 });
    const program = ['import json, sys', 'print(json.dumps([repr(one) for one in json.load(sys.stdin)]))'];
    const texts = byPython<string[]>(program, values);
    if (texts === null) return;
    // Python has no negative zero among its whole numbers, and JSON's text of it is "-0".
    const same = JSON.parse(JSON.stringify(values)) as unknown[];
    expect(texts.map(parsed)).toEqual(same.map(asRead));
  });

  test.each([
    ['nan', Number.NaN],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['1e-06', 1e-6],
    ['np.float64(0.25)', 0.25],
    ["tensor(0.5, device='cuda:0', dtype=torch.bfloat16)", 0.5],
    ['tensor([1.0], grad_fn=<MeanBackward0>)', [1]],
    ["('a', 2,)", ['a', 2]],
    ["r'\\n'", '\\n'],
    [String.raw`'\x41\u00e9\n'`, 'A\u00e9\n'],
    ['{1, 2}', [1, 2]],
    ['{True: None}', new Map([['true', null]])],
  ])('%s', (text, value) => {
    expect(parsed(text)).toEqual(value);
  });

  test.each([
    "{'a': <object at 0x7f>}",
    "{'a': 1",
    "{'a': 1, 'b'",
    "'no end",
    '__import__',
    'lambda: 1',
    '',
    `${'['.repeat(200)}1${']'.repeat(200)}`,
  ])('%s is not a literal', (text) => {
    expect(pythonLiteral(text)).toBeNull();
  });

  test('ends where it ends, with any text after it', () => {
    expect(pythonLiteral("x {'a': 1} and so on", 2)).toEqual({ value: new Map([['a', 1]]), end: 10 });
  });

  test('is never thrown at', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]()\'"\\,:=.eE-+01nainfTru xu\n') }), (text) => {
        expect(() => pythonLiteral(text)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
