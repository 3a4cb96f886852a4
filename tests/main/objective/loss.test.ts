import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, randomStream } from '../../../main/base';
import {
  batchLoss,
  type LossObjective,
  type Sequence,
  sequenceLoss,
  totalsOf,
} from '../../../main/objective';
import { byPython } from './python-reference';
import { expectClose } from './random-trees';

const paper: LossObjective = {
  ratio: 'sequence',
  clip: { low: 0.2, high: 0.2 },
  importanceCap: 2,
  kl: { estimator: 'k3', coefficient: 0.001 },
};

/** Every switch with every other. */
const objectives: readonly LossObjective[] = (['sequence', 'token'] as const).flatMap((ratio) =>
  ([null, 2] as const).flatMap((importanceCap) =>
    (['k1', 'k2', 'k3'] as const).map((estimator) => ({
      ratio,
      importanceCap,
      clip: { low: 0.2, high: 0.28 },
      kl: { estimator, coefficient: 0.3 },
    })),
  ),
);
const named = objectives.map(
  (objective) =>
    [
      `${objective.ratio} ratio, cap ${objective.importanceCap}, ${objective.kl.estimator}`,
      objective,
    ] as const,
);

/** `spread`: standard deviation of the log-probabilities around those of the policy before the update. */
function randomSequence(random: Random, spread: number): Sequence {
  const old = Array.from({ length: 1 + random.integer(6) }, () => -3 * random.uniform() - 0.01);
  const near = (): number[] => old.map((value) => value + spread * random.normal());
  return { old, current: near(), rollout: near(), reference: near(), advantage: 2 * random.normal() };
}

function randomBatch(random: Random, spread: number): Sequence[] {
  return Array.from({ length: 1 + random.integer(5) }, () => randomSequence(random, spread));
}

const PYTHON = `
def work(case):
    sequences, o = case
    low, high, cap = 1 - o['clip']['low'], 1 + o['clip']['high'], o['importanceCap']
    cut = lambda x: min(max(x, low), high)
    policy = []
    for s in sequences:
        engines = [math.exp(a - b) for a, b in zip(s['old'], s['rollout'])]
        weights = [1.0 if cap is None else min(x, cap) for x in engines]
        veto = 0 if cap is not None and any(x < 1e-4 for x in engines) else 1
        A = s['advantage']
        if o['ratio'] == 'sequence':
            behaviour = s['old'] if cap is None else s['rollout']
            ratio = math.exp(statistics.fmean(a - b for a, b in zip(s['current'], behaviour)))
            u = min(ratio * A, cut(ratio) * A)
            policy.append(-u * veto * statistics.fmean(weights))
        else:
            ratios = [math.exp(a - b) for a, b in zip(s['current'], s['old'])]
            terms = [w * min(x * A, cut(x) * A) for w, x in zip(weights, ratios)]
            policy.append(-veto * statistics.fmean(terms))
    def estimate(l):
        k = {'k1': l, 'k2': l * l / 2, 'k3': math.exp(-l) - 1 + l}[o['kl']['estimator']]
        return min(10, max(-10, k))
    kl = [estimate(a - b) for s in sequences for a, b in zip(s['current'], s['reference'])]
    return [statistics.fmean(policy), statistics.fmean(kl), statistics.fmean(policy) + o['kl']['coefficient'] * statistics.fmean(kl)]
`;

describe.each(named)('the loss with %s', (name, objective) => {
  it('agrees with a Python program, near and far from the policy that wrote', () => {
    const random = randomStream('loss', name);
    const batches = Array.from({ length: 60 }, (_, i) =>
      randomBatch(random, [0.02, 0.3, 4][i % 3] as number),
    );
    const expected = byPython<number[]>(
      PYTHON,
      batches.map((batch) => [batch, objective]),
    );
    batches.forEach((batch, i) => {
      const { policyLoss, kl, loss } = batchLoss(batch, objective);
      expectClose([policyLoss, kl, loss], expected[i] as number[]);
    });
  });

  it('has the slopes of finite differences', () => {
    const random = randomStream('slopes', name);
    for (let i = 0; i < 20; i++) {
      const batch = randomBatch(random, [0.05, 0.3][i % 2] as number);
      const { slopes } = batchLoss(batch, objective);
      batch.forEach((sequence, s) => {
        Array.from(sequence.current).forEach((_, t) => {
          const at = (shift: number): number => {
            const current = Array.from(sequence.current);
            current[t] = (current[t] as number) + shift;
            return batchLoss(batch.with(s, { ...sequence, current }), objective).loss;
          };
          expect(slopes[s]?.[t]).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 5);
        });
      });
    }
  });
});

describe.each(named)('parts of a batch, with %s', (name, objective) => {
  it('add up to the whole, slopes and shares too', () => {
    const random = randomStream('parts', name);
    const batch = Array.from({ length: 7 }, () => randomSequence(random, 0.3));
    const whole = batchLoss(batch, objective);
    const totals = totalsOf(batch);
    const parts = [batch.slice(0, 2), batch.slice(2, 3), batch.slice(3)].map((part) =>
      batchLoss(part, objective, totals),
    );
    const sumOf = (of: (loss: (typeof parts)[number]) => number): number =>
      parts.reduce((sum, part) => sum + of(part), 0);
    for (const key of ['loss', 'policyLoss', 'kl', 'clipped01', 'ratio', 'vetoed01', 'capped01'] as const)
      expect(sumOf((part) => part[key])).toBeCloseTo(whole[key], 12);
    parts
      .flatMap(({ slopes }) => slopes)
      .forEach((slopes, i) => {
        expectClose([...slopes], [...(whole.slopes[i] as Float64Array)]);
      });
  });
});

describe('where another engine wrote', () => {
  const flat = { reference: [0, 0], advantage: 1 };
  const free = { ...paper, kl: { ...paper.kl, coefficient: 0 } };

  it('tells the shares of tokens that were vetoed and capped', () => {
    const vetoed = { ...flat, current: [0, 0], old: [-12, 0], rollout: [0, 0] };
    const capped = { ...flat, current: [0, 0], old: [0, 0], rollout: [-1, 0] };
    const same = { ...flat, current: [0, 0], old: [0, 0], rollout: [0, 0] };
    expect(batchLoss([vetoed, capped, same, same], free)).toMatchObject({ vetoed01: 0.25, capped01: 0.125 });
    const unweighted = batchLoss([vetoed, capped], { ...free, importanceCap: null });
    expect(unweighted).toMatchObject({ vetoed01: 0, capped01: 0 });
  });

  it('takes the ratio against that engine, or where the objective says so against the old policy', () => {
    const moved = { ...flat, current: [0, 0], old: [0, 0], rollout: [-0.1, -0.1] };
    expect(sequenceLoss(moved, free).ratio).toBeCloseTo(Math.exp(0.1), 12);
    expect(sequenceLoss(moved, { ...free, ratioAgainst: 'rollout' }).ratio).toBeCloseTo(Math.exp(0.1), 12);
    expect(sequenceLoss(moved, { ...free, ratioAgainst: 'old' }).ratio).toBe(1);
    expect(sequenceLoss(moved, { ...free, ratioAgainst: 'old' }).loss).toBeCloseTo(-Math.exp(0.1), 12);
  });
});

describe('a loss by hand', () => {
  const zero = { old: [0, 0], rollout: [0, 0], reference: [0, 0] };

  it('of the policy that wrote is minus the advantage, with ratio 1 and slope -A / T', () => {
    for (const [, objective] of named) {
      const { loss, slopes, clipped01, kl, ratio } = sequenceLoss(
        { ...zero, current: [0, 0], advantage: 0.8 },
        objective,
      );
      expect({ loss, clipped01, kl, ratio }).toEqual({ loss: -0.8, clipped01: 0, kl: 0, ratio: 1 });
      const divergence = objective.kl.estimator === 'k1' ? 0.3 / 2 : 0;
      expectClose([...slopes], [-0.4 + divergence, -0.4 + divergence]);
    }
  });

  it('cuts the ratio where it helps, and not where it hurts', () => {
    const up = { ...zero, current: [Math.log(2), Math.log(2)] };
    const down = { ...zero, current: [-Math.log(2), -Math.log(2)] };
    const free = { ...paper, kl: { ...paper.kl, coefficient: 0 } };
    // Better and already likelier: 1.2 is enough. Worse and likelier: the whole 2 counts.
    expect(sequenceLoss({ ...up, advantage: 1 }, free)).toMatchObject({ loss: -1.2, clipped01: 1 });
    expect(sequenceLoss({ ...up, advantage: -1 }, free).loss).toBeCloseTo(2, 12);
    expect(sequenceLoss({ ...down, advantage: -1 }, free)).toMatchObject({ loss: 0.8, clipped01: 1 });
    expect(sequenceLoss({ ...down, advantage: 1 }, free).loss).toBeCloseTo(-0.5, 12);
    expect([...sequenceLoss({ ...up, advantage: 1 }, free).slopes]).toEqual([0, 0]);
  });

  it('of one far token cuts the token alone, or moves the sequence by its mean', () => {
    const one = { ...zero, current: [Math.log(1.44), 0], advantage: 1 };
    const free = { ...paper, clip: { low: 0.2, high: 0.25 }, kl: { ...paper.kl, coefficient: 0 } };
    // Sequence: sqrt(1.44) = 1.2, below 1.25. Token: 1.44 is cut to 1.25, 1 stays.
    expect(sequenceLoss(one, free)).toMatchObject({ clipped01: 0 });
    expect(sequenceLoss(one, free).loss).toBeCloseTo(-1.2, 12);
    const token = sequenceLoss(one, { ...free, ratio: 'token' });
    expect(token.clipped01).toBe(0.5);
    expect(token.loss).toBeCloseTo(-1.125, 12);
    expectClose([...token.slopes], [0, -0.5]);
  });

  it('weighs a token by what the two engines make of it, up to the cap', () => {
    const sequence = { ...zero, current: [0, 0], rollout: [-Math.log(8), -Math.log(1.5)], advantage: 1 };
    const free = { ...paper, ratio: 'token' as const, kl: { ...paper.kl, coefficient: 0 } };
    expect(sequenceLoss(sequence, free).loss).toBeCloseTo(-(2 + 1.5) / 2, 12);
    expect(sequenceLoss(sequence, { ...free, importanceCap: 1 }).loss).toBeCloseTo(-1, 12);
    expect(sequenceLoss(sequence, { ...free, importanceCap: null }).loss).toBeCloseTo(-1, 12);
  });

  it.each(['sequence', 'token'] as const)(
    'with %s ratios lets one impossible token veto its sequence, but not the divergence',
    (ratio) => {
      const vetoed = {
        ...zero,
        current: [0, 0],
        rollout: [Math.log(1 / 9e-5), 0],
        advantage: 1,
      };
      const { loss, slopes } = sequenceLoss(vetoed, { ...paper, ratio });
      expect(loss).toBeCloseTo(0, 12);
      expect([...slopes].every((slope) => Math.abs(slope) < 1e-12)).toBe(true);
      const near = { ...vetoed, rollout: [Math.log(1 / 1.1e-4), 0] };
      expect(sequenceLoss(near, { ...paper, ratio }).slopes[1]).not.toBe(0);
      expect(sequenceLoss({ ...vetoed, reference: [-1, -1] }, { ...paper, ratio }).loss).toBeGreaterThan(0);
      // Nothing is vetoed while the weights are off.
      expect(sequenceLoss(vetoed, { ...paper, ratio, importanceCap: null }).loss).toBeCloseTo(-1, 12);
    },
  );

  it('averages the policy over sequences and the divergence over tokens', () => {
    const short = { old: [0], rollout: [0], current: [0], reference: [-1], advantage: 1 };
    const long = {
      old: [0, 0, 0],
      rollout: [0, 0, 0],
      current: [0, 0, 0],
      reference: [0, 0, 0],
      advantage: 4,
    };
    const k1 = { ...paper, kl: { estimator: 'k1' as const, coefficient: 1 } };
    const { policyLoss, kl, loss, slopes } = batchLoss([short, long], k1);
    expect({ policyLoss, kl, loss }).toEqual({ policyLoss: -2.5, kl: 0.25, loss: -2.25 });
    expectClose([...(slopes[0] as Float64Array)], [-0.5 + 0.25]);
    expectClose(
      [...(slopes[1] as Float64Array)],
      [1, 1, 1].map(() => -4 / 2 / 3 + 0.25),
    );
  });
});

describe('a loss', () => {
  it('does not depend on the order of its sequences', () => {
    const random = randomStream('order');
    fc.assert(
      fc.property(fc.nat(), () => {
        const batch = randomBatch(random, 0.3);
        const [one, other] = [batchLoss(batch, paper), batchLoss([...batch].reverse(), paper)];
        expectClose([other.loss, other.kl, other.ratio], [one.loss, one.kl, one.ratio]);
        expect([...other.slopes].reverse()).toEqual(one.slopes);
      }),
      { numRuns: 50 },
    );
  });

  it('stays finite for any log-probabilities', () => {
    const far = fc.constantFrom(-1e300, -Number.MAX_VALUE, -1e4, -800, -1, 0);
    fc.assert(
      fc.property(
        far,
        far,
        far,
        far,
        fc.constantFrom(-10, 0, 10),
        fc.constantFrom(...objectives),
        (...all) => {
          const [current, old, rollout, reference, advantage, objective] = all;
          const lists = {
            current: [current, -1],
            old: [old, -1],
            rollout: [rollout, -1],
            reference: [reference, -1],
          };
          const { loss, slopes, kl } = sequenceLoss({ ...lists, advantage }, objective);
          expect([loss, kl, ...slopes].every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });

  it('carries a NaN on, for an alarm to be raised', () => {
    const sequence = { current: [Number.NaN], old: [0], rollout: [0], reference: [0], advantage: 1 };
    expect(sequenceLoss(sequence, paper).loss).toBeNaN();
  });

  it('refuses a batch without sequences, a sequence without tokens, and lists of different lengths', () => {
    const empty = { current: [], old: [], rollout: [], reference: [], advantage: 1 };
    const uneven = { current: [0, 0], old: [0, 0], rollout: [0], reference: [0, 0], advantage: 1 };
    expect(() => batchLoss([], paper)).toThrow(RangeError);
    expect(() => sequenceLoss(empty, paper)).toThrow(RangeError);
    expect(() => sequenceLoss(uneven, paper)).toThrow(RangeError);
  });
});
