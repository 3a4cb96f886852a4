import { expect, test } from 'vitest';
import { deriveSeed, Emitter, RANDOM_VERSION, randomStream, shuffled } from '../../../main/base/index';

function moments(draw: () => number, count = 40_000): { mean: number; variance: number } {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const value = draw();
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  return { mean, variance: squares / count - mean * mean };
}

test('these numbers belong to this version: whoever changes them must rename RANDOM_VERSION', () => {
  expect(RANDOM_VERSION).toBe('sfc32-polar-marsaglia-1');
  const random = randomStream(1, 'pocket/test/000', 'search');
  const drawn = [
    random.uniform(),
    random.normal(),
    random.gamma(0.5),
    random.beta(0.5, 0.5),
    random.integer(1_000),
  ];
  expect(drawn).toMatchInlineSnapshot(`
    [
      0.9226588024817902,
      1.3606224439826695,
      0.0022227800720550106,
      0.8869210307515781,
      579,
    ]
  `);
  expect(deriveSeed(1, 'pocket/test/000', 'search', 0)).toMatchInlineSnapshot(`490846717`);
});

test('parts stay separate: ("ab", "c") is not ("a", "bc"), 1 and "1" are the same', () => {
  expect(deriveSeed('ab', 'c')).not.toBe(deriveSeed('a', 'bc'));
  expect(deriveSeed(1)).toBe(deriveSeed('1'));
});

test('uniform draws fill [0, 1) evenly', () => {
  const random = randomStream('uniform');
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 50_000; i++) {
    const value = random.uniform();
    expect(value >= 0 && value < 1).toBe(true);
    const bin = Math.floor(value * 10);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const chiSquare = counts.reduce((sum, count) => sum + (count - 5_000) ** 2 / 5_000, 0);
  expect(chiSquare).toBeLessThan(33.7); // 9 degrees of freedom, p = 0.0001
});

test.each([0.5, 1, 2.5, 30])('gamma(%d) has mean and variance of its shape', (shape) => {
  const random = randomStream('gamma', shape);
  const { mean, variance } = moments(() => random.gamma(shape));
  expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / 40_000));
  expect(variance / shape).toBeGreaterThan(0.9);
  expect(variance / shape).toBeLessThan(1.1);
});

test('normal and beta draws have the right mean and variance', () => {
  const random = randomStream('normal and beta');
  const normal = moments(random.normal);
  expect(Math.abs(normal.mean)).toBeLessThan(0.025);
  expect(Math.abs(normal.variance - 1)).toBeLessThan(0.05);
  const beta = moments(() => random.beta(2, 3));
  expect(Math.abs(beta.mean - 0.4)).toBeLessThan(0.006);
  expect(Math.abs(beta.variance - 0.04)).toBeLessThan(0.003);
});

test('a shape that is not a positive number throws an error', () => {
  expect(() => randomStream('x').gamma(0)).toThrow(RangeError);
  expect(() => randomStream('x').gamma(Number.NaN)).toThrow(RangeError);
});

test('shuffling keeps the items and gives every order its turn', () => {
  const random = randomStream('shuffle');
  const seen = new Map<string, number>();
  for (let i = 0; i < 6_000; i++) {
    const key = shuffled(['a', 'b', 'c'], random).join('');
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  expect([...seen.keys()].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  for (const count of seen.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test('a listener that throws does not keep the others from hearing, and can be taken away', () => {
  const emitter = new Emitter<number>();
  const values: number[] = [];
  emitter.on(() => {
    throw new Error('first');
  });
  const second = emitter.on((value) => values.push(value));
  expect(() => emitter.emit(1)).toThrow('A listener failed');
  second.dispose();
  expect(() => emitter.emit(2)).toThrow();
  expect(values).toEqual([1]);
  expect(emitter.listenerCount).toBe(1);
});
