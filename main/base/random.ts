/**
 * Seeded random numbers. All randomness of the workbench comes from here, so that the same seed gives the same bytes.
 * `RANDOM_VERSION` names generator and samplers together: it is written into every journal, and a change of either must
 * change it.
 */
export const RANDOM_VERSION = 'sfc32-polar-marsaglia-1';

/** A stream of numbers; mutable by nature, so each owner makes its own with `randomStream`. */
export type Random = {
  /** Uniform in [0, 1), 53 bits. */
  readonly uniform: () => number;
  /** Uniform integer in [0, bound); bound is a positive integer below 2^32. */
  readonly integer: (bound: number) => number;
  /** Standard normal, by the polar method with the second value thrown away. */
  readonly normal: () => number;
  /** Gamma with the given shape > 0 and scale 1, by Marsaglia and Tsang (2000). */
  readonly gamma: (shape: number) => number;
  /** Beta(a, b) with a, b > 0, as gamma(a) / (gamma(a) + gamma(b)). */
  readonly beta: (a: number, b: number) => number;
};

/** FNV-1a over UTF-16 code units with a murmur finaliser: 32 bits, for mixing seeds, not for digests. */
function hash32(text: string, salt: number): number {
  let hash = (0x811c9dc5 ^ salt) >>> 0;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function keyOf(parts: ReadonlyArray<string | number>): string {
  // The length in front of each part keeps ('ab','c') and ('a','bc') apart.
  return parts.map((part) => `${String(part).length}:${part}`).join('|');
}

/** A seed in [0, 2^31) from any parts, e.g. (run seed, problem id, trial ordinal). */
export function deriveSeed(...parts: ReadonlyArray<string | number>): number {
  return hash32(keyOf(parts), 0x5bd1e995) >>> 1;
}

/** An independent stream for these parts. */
export function randomStream(...parts: ReadonlyArray<string | number>): Random {
  const key = keyOf(parts);
  let a = hash32(key, 1);
  let b = hash32(key, 2);
  let c = hash32(key, 3);
  let counter = 1;
  const next32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next32();

  const uniform = (): number => (next32() * 0x200000 + (next32() >>> 11)) / 0x20000000000000;
  const integer = (bound: number): number => {
    // Rejection keeps the draw exactly uniform for bounds that do not divide 2^32.
    const limit = Math.floor(0x100000000 / bound) * bound;
    for (;;) {
      const value = next32();
      if (value < limit) return value % bound;
    }
  };
  const normal = (): number => {
    for (;;) {
      const u = 2 * uniform() - 1;
      const v = 2 * uniform() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
  const gammaAtLeastOne = (shape: number): number => {
    const d = shape - 1 / 3;
    const k = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const root = 1 + k * x;
      if (root <= 0) continue;
      const v = root * root * root;
      const u = uniform();
      if (u > 0 && Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  const gamma = (shape: number): number => {
    if (!(shape > 0)) throw new RangeError(`A gamma needs a shape above 0, not ${shape}`);
    for (;;) {
      const value =
        shape >= 1 ? gammaAtLeastOne(shape) : gammaAtLeastOne(shape + 1) * (1 - uniform()) ** (1 / shape);
      if (value > 0) return value; // a draw of exactly 0 would divide by zero further on
    }
  };
  const beta = (alpha: number, betaShape: number): number => {
    const x = gamma(alpha);
    const y = gamma(betaShape);
    return x / (x + y);
  };
  return { uniform, integer, normal, gamma, beta };
}

/** A new array with the items in a random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    const swapped = result[i] as T;
    result[i] = result[j] as T;
    result[j] = swapped;
  }
  return result;
}
