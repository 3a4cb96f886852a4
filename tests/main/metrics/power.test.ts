import { describe, expect, it } from 'vitest';
import {
  detectableDifference,
  detectableGain,
  mcnemarP,
  normalQuantile,
  problemsFor,
  problemsNeeded,
} from '../../../main/metrics';
import { detectableOverSeeds } from '../../../main/metrics/power';

it.each([
  // Tables of the normal distribution.
  [0.5, 0],
  [0.8, 0.8416212336],
  [0.975, 1.9599639845],
  [0.995, 2.5758293035],
  [0.0013498980316, -3],
])('the normal quantile of %f is %f', (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 8);
});

/** Chance that the exact test shows it, summed over every way the problems can fall. */
function powerOf(problems: number, onlyFirst: number, onlySecond: number, level: number): number {
  const logs = [0];
  for (let i = 1; i <= problems; i++) logs.push((logs[i - 1] ?? 0) + Math.log(i));
  const chance = (parts: ReadonlyArray<readonly [number, number]>) =>
    Math.exp(
      parts.reduce(
        (sum, [count, p]) => sum + (count === 0 ? 0 : count * Math.log(p)) - (logs[count] ?? 0),
        logs[problems] ?? 0,
      ),
    );
  let power = 0;
  for (let b = 0; b <= problems; b++)
    for (let c = 0; b + c <= problems; c++)
      if (mcnemarP(b, c) < level)
        power += chance([
          [b, onlyFirst],
          [c, onlySecond],
          [problems - b - c, 1 - onlyFirst - onlySecond],
        ]);
  return power;
}

describe('the smallest detectable difference', () => {
  it.each([
    [175, 0.2, 0.05],
    [175, 0.35, 0.05 / 3],
    [120, 0.15, 0.05],
    [60, 0.3, 0.05],
  ])('of %i problems of which %f differ shows four times in five at level %f', (problems, moment, level) => {
    const size = detectableDifference(problems, { secondMoment: moment, level, verdicts: true }) ?? 0;
    const power = powerOf(problems, (moment + size) / 2, (moment - size) / 2, level);
    // The exact test is a little more careful than the formula.
    expect(power).toBeGreaterThan(0.7);
    expect(power).toBeLessThan(0.85);
  });

  it('needs about as many problems as it was detected with', () => {
    for (const verdicts of [true, false]) {
      const spread = { secondMoment: 0.2, level: 0.05, verdicts };
      const size = detectableDifference(175, spread) ?? 0;
      expect(problemsFor(size, spread)).toBeCloseTo(175, 3);
    }
  });

  // A standard error of 5 points. Two-sided at 5 %: 1.96 and 0.84 of the normal, 2.776 and 0.941 of Student's distribution.
  const interval = { low: 0, high: 0.1 * 1.9599639845 };
  it.each([
    ['searches', null, 0.2, (1.9599639845 + 0.8416212336) * 0.05],
    ['trainings that hardly differ', 5, 0.01, (1.9599639845 + 0.94096) * 0.05],
    ['trainings that differ', 5, 0.2, 2.776445 * (0.2 / Math.sqrt(5)) + 0.94096 * 0.05],
  ])(
    'over seeds of %s is what their test claims, and what the power needs beyond',
    (_, trainings, sd, size) => {
      expect(detectableOverSeeds({ ...interval, seedSpread: { sd } }, 0.05, trainings)).toBeCloseTo(size, 4);
    },
  );

  it('over two trainings, or beyond 100 points, is not known', () => {
    expect(detectableOverSeeds({ ...interval, seedSpread: { sd: 0.01 } }, 0.05, 2)).toBeNull();
    expect(detectableOverSeeds({ ...interval, seedSpread: { sd: 0.9 } }, 0.05, 5)).toBeNull();
  });

  it('is unknown where not even a difference on every problem would show', () => {
    expect(detectableDifference(3, { secondMoment: 1, level: 0.05, verdicts: true })).toBeNull();
  });
});

describe('the problems needed', () => {
  it('for rates are ((1.96 * 0.5 + 0.84 * sqrt(0.25 - 0.01)) / 0.1)^2', () => {
    const needed = problemsFor(0.1, { secondMoment: 0.25, level: 0.05, verdicts: false });
    expect(needed).toBeCloseTo((10 * (1.9599639845 * 0.5 + 0.8416212336 * Math.sqrt(0.24))) ** 2, 5);
  });

  it('are null without a difference', () => {
    expect(problemsFor(0, { secondMoment: 0.25, level: 0.05, verdicts: true })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

describe('the smallest gain that an evaluation detects', () => {
  it('with 8 answers a problem, 20 problems: the root of 1/24, spread over 20', () => {
    // sd of a mean of 20 differences, each of variance 2 / 6 / 8; 1.96 and 0.84 of it.
    const sd = Math.sqrt(1 / 24 / 20);
    const gain = detectableGain(20, 8) as number;
    expect(gain).toBeLessThan((1.96 + 0.8416) * sd + 1e-3);
    expect(gain).toBeGreaterThan(0.9 * (1.96 + 0.8416) * sd);
  });
  it('falls with the root of the problems, and with answers a problem', () => {
    expect((detectableGain(400, 8) as number) / (detectableGain(100, 8) as number)).toBeCloseTo(0.5, 1);
    expect(detectableGain(100, 16) as number).toBeLessThan(detectableGain(100, 8) as number);
  });
  it('is none at all for a problem or two', () => {
    expect(detectableGain(0, 8)).toBeNull();
    expect(detectableGain(2, 1)).toBeNull();
  });
});

it('a difference that only rounding made needs no number of problems', () => {
  const spread = { secondMoment: 0.25, level: 0.05, verdicts: false };
  expect(problemsNeeded(0.1 + 0.2 - 0.3, spread)).toBeNull();
  expect(problemsNeeded(0, spread)).toBeNull();
  expect(problemsNeeded(0.1, spread)).toBe(Math.ceil(problemsFor(0.1, spread)));
});
