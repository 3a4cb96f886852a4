import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import {
  addGradient,
  type Encoded,
  encodePrompt,
  FAMILIES,
  type Family,
  logProbability,
  type PocketPolicy,
  type Program,
  sampleProgram,
} from '../../../main/pocket';
import {
  samplingProbabilities,
  symbolProbabilities,
  symbolsOf,
  weightCount,
} from '../../../main/pocket/policy';
import type { ReadPrompt } from '../../../main/pocket/prompt';

const scratch: ReadPrompt = {
  style: 'stdin',
  clauses: ['keep only the even numbers', 'report a single number'],
  reordered: true,
  omitted: false,
  examples: [
    { input: [4, 1, -2], output: 2 },
    { input: [3, 8, 8, -5], output: 16 },
  ],
  role: 0,
  earlier: null,
};
const refined: ReadPrompt = { ...scratch, role: 1, earlier: { program: [9, 30], feedback: 'none-passed' } };

function randomPolicy(family: Family): PocketPolicy {
  const random = randomStream('policy-test', family);
  return {
    family,
    seed: 0,
    weights: Float64Array.from({ length: weightCount(family) }, () => random.normal() * 0.3),
  };
}

const cases = FAMILIES.flatMap((family) => [
  [family, 'from scratch', scratch] as const,
  [family, 'refining', refined] as const,
]);

describe.each(cases)('the family %s, %s', (family, _, prompt) => {
  const policy = randomPolicy(family);
  const encoded: Encoded = encodePrompt(prompt);

  test('chooses each symbol with probabilities that sum to one', () => {
    for (const steps of [[], [9], [9, 0], [9, 13, 13, 13]]) {
      const probabilities = symbolProbabilities(policy, encoded, steps);
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    }
  });

  test('reports for a sample the log-probability that logProbability computes', () => {
    const random = randomStream('sample-test');
    for (let i = 0; i < 50; i++) {
      const { program, symbols } = sampleProgram(policy, encoded, random, { temperature: 1, topP: 1 });
      const sum = symbols.reduce((total, { logProbability: one }) => total + one, 0);
      expect(sum).toBeCloseTo(logProbability(policy, encoded, program), 10);
      expect(symbols.map(({ symbol }) => symbol)).toEqual(symbolsOf(program));
    }
  });

  test('draws programs as often as their probability says', () => {
    const random = randomStream('frequency-test');
    const counts = new Map<number, number>();
    const draws = 4_000;
    for (let i = 0; i < draws; i++) {
      const start = sampleProgram(policy, encoded, random, { temperature: 1, topP: 1 }).program[0] ?? -1;
      counts.set(start, (counts.get(start) ?? 0) + 1);
    }
    symbolProbabilities(policy, encoded, []).forEach((p, symbol) => {
      const spread = 5 * Math.sqrt((p * (1 - p)) / draws) + 1e-9;
      expect(Math.abs((counts.get(symbol) ?? 0) / draws - p)).toBeLessThan(spread);
    });
  });

  test('has a gradient that agrees with finite differences', () => {
    for (const program of [
      [9, 27],
      [9, 30],
      [9, 0, 13],
      [9, 13, 13, 13, 13],
    ] satisfies Program[]) {
      const gradient = new Float64Array(policy.weights.length);
      addGradient(policy, encoded, program, 2, gradient);
      const step = 1e-5;
      const touched = [...gradient.keys()].filter((i) => gradient[i] !== 0);
      expect(touched.length).toBeGreaterThan(100);
      for (const i of touched.filter((_, at) => at % 37 === 0)) {
        const at = (shift: number): number => {
          const weights = policy.weights.slice();
          weights[i] = (weights[i] ?? 0) + shift;
          return logProbability({ ...policy, weights }, encoded, program);
        };
        expect(gradient[i] ?? 0).toBeCloseTo((2 * (at(step) - at(-step))) / (2 * step), 5);
      }
    }
  });
});

describe('sampling', () => {
  const policy = randomPolicy('reader');
  const encoded = encodePrompt(scratch);

  test('writes the likeliest symbols at temperature 0', () => {
    const write = (seed: number): Program =>
      sampleProgram(policy, encoded, randomStream(seed), { temperature: 0, topP: 1 }).program;
    expect(write(1)).toEqual(write(2));
  });

  test('keeps to the nucleus when topP is below 1', () => {
    const probabilities = symbolProbabilities(policy, encoded, []);
    const cut = samplingProbabilities(probabilities, { temperature: 1, topP: 0.3 });
    const remaining = [...cut.keys()].filter((k) => (cut[k] ?? 0) > 0);
    const mass = remaining.reduce((sum, k) => sum + (probabilities[k] ?? 0), 0);
    const smallest = Math.min(...remaining.map((k) => probabilities[k] ?? 0));
    expect(mass).toBeGreaterThanOrEqual(0.3);
    expect(mass - smallest).toBeLessThan(0.3);
    expect(cut.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  test('stays finite at extreme temperatures', () => {
    const probabilities = symbolProbabilities(policy, encoded, []);
    for (const temperature of [1e-4, 0.01, 10]) {
      const drawn = samplingProbabilities(probabilities, { temperature, topP: 0.9 });
      expect(drawn.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    }
  });

  test('cannot write a step after the answer, nor nothing', () => {
    expect(logProbability(policy, encoded, [27, 0])).toBe(Number.NEGATIVE_INFINITY);
    expect(logProbability(policy, encoded, [])).toBe(Number.NEGATIVE_INFINITY);
    expect(logProbability(policy, encoded, [0, 0, 0, 0, 0, 0])).toBe(Number.NEGATIVE_INFINITY);
  });
});
