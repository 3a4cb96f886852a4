import { describe, expect, it } from 'vitest';
import { clusterSizes, structureJudge } from '../../../../main/metrics';
import { parsePython } from '../../../../main/search';

const loop = `
def largest(xs):
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best
print(largest([int(w) for w in input().split()]))
`;

const renamed = `# the same with other names
import sys, math

def find_max(values: list[int]) -> int:
    """Finds it."""
    m = values[ 0 ]
    for v in (values):   # each
        if (v > m): m = v
    return m

print(find_max([int(token) for token in input().split()]))
`;

const sorting = `
xs = sorted(map(int, input().split()))
print(xs[-1])
`;

const recursion = `
def largest(xs):
    if len(xs) == 1:
        return xs[0]
    half = len(xs) // 2
    return max(largest(xs[:half]), largest(xs[half:]))
print(largest([int(w) for w in input().split()]))
`;

const sums = (sign: string) => `
def f(xs):
    total = 0
    for x in xs:
        total = total ${sign} x
    return total
`;

const broken = 'def f(:\n  return\n';

const same = structureJudge(parsePython);

describe('the structural judge', () => {
  it.each<[string, string, string, boolean]>([
    ['sees through names, comments, types, brackets and imports', loop, renamed, true],
    ['tells a loop from sorting', loop, sorting, false],
    ['tells a loop from recursion', loop, recursion, false],
    ['takes a program for itself', sorting, sorting, true],
    ['takes another constant for the same', 'print(1 + x * 2)', 'print(7 + y * 9)', true],
    ['tells operators apart', 'print(a + b)', 'print(a * b)', false],
    ['finds a program that does not parse like nothing else', broken, 'def f(:\n  pass\n', false],
  ])('%s', (_, one, other, expected) => {
    expect(same(one, other)).toBe(expected);
    expect(same(other, one)).toBe(expected);
  });

  it('takes one sign in a long program for a detail', () => {
    expect(same(loop + sums('+'), loop + sums('-'))).toBe(true);
  });

  it('reads a program nested a thousand deep, and leaves a deeper or endless one alone', () => {
    const nested = (depth: number) => `x = ${'('.repeat(depth)}1${')'.repeat(depth)}\n`;
    expect(same(nested(1_000), 'x = 1')).toBe(true);
    expect(same(nested(40_000), 'x = 1')).toBe(false);
    expect(same(nested(60_000), 'x = 1')).toBe(false);
  });
});

describe('clusters', () => {
  const yieldControl = async () => {};

  it('are opened in order, each compared by its first member', async () => {
    expect(
      await clusterSizes([loop, sorting, renamed, recursion, loop, sorting], same, yieldControl),
    ).toEqual([3, 2, 1]);
  });

  it('of programs that do not parse hold equal ones alone', async () => {
    expect(await clusterSizes([broken, 'x = =', broken], same, yieldControl)).toEqual([2, 1]);
  });

  it('ask any judge, once for equal programs', async () => {
    const requests: string[] = [];
    const judge = async (one: string, other: string) => {
      requests.push(one + other);
      return one.charAt(0) === other.charAt(0);
    };
    expect(await clusterSizes(['a1', 'b1', 'a2', 'a2', 'b2'], judge, yieldControl)).toEqual([3, 2]);
    expect(requests).toEqual(['a1b1', 'a1a2', 'a1b2', 'b1b2']);
  });
});
