import { describe, expect, it } from 'vitest';
import { type Random, randomStream } from '../../../main/base';
import { AbMctsM, MixedModel, ROOT, type ScoreGroup, SigmaGrid } from '../../../main/search';

function groupOf(scores: readonly number[]): ScoreGroup {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squaredDeviations = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return { count: scores.length, mean, squaredDeviations };
}

function normalDensity(x: number, mean: number, deviation: number): number {
  return Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / deviation;
}

/** Midpoints of equal steps. */
function midpoints(from: number, to: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => from + ((i + 0.5) * (to - from)) / steps);
}

const ALPHAS = midpoints(-1, 2, 300);

/** Running sums, and the place of a share of the whole among them. */
function cumulative(weights: Iterable<number>): (share: number) => number {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) {
    sum += weight;
    sums.push(sum);
  }
  return (share) => {
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > share * sum) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/**
 * The posterior by brute force, straight from the model's definition: priors and likelihood on a fine mesh of
 * (sigmaAlpha, sigmaY, mu), with every alpha_j integrated numerically over 300 points, no closed form anywhere.
 */
function bruteForce(groups: readonly (readonly number[])[]) {
  const sigmaAlphas = midpoints(0, 0.9, 45);
  const sigmaYs = midpoints(0, 1.2, 48);
  const mus = midpoints(-0.5, 1.5, 40);
  const cells: { sigmaAlpha: number; sigmaY: number; mu: number }[] = [];
  const weights: number[] = [];
  /** Of sigmaAlpha, sigmaY, mu, the score of every group, and that of an unseen one. */
  const moments: number[] = [];
  let total = 0;
  const likelihoods = sigmaYs.map((sigmaY) =>
    groups.map((scores) =>
      ALPHAS.map((alpha) =>
        scores.reduce((product, score) => product * normalDensity(score, alpha, sigmaY), 1),
      ),
    ),
  );
  for (const sigmaAlpha of sigmaAlphas) {
    for (const mu of mus) {
      const aroundMu = ALPHAS.map((alpha) => normalDensity(alpha, mu, sigmaAlpha));
      for (const [y, sigmaY] of sigmaYs.entries()) {
        let weight =
          normalDensity(sigmaAlpha, 0, 0.2) * normalDensity(sigmaY, 0, 0.3) * normalDensity(mu, 0.5, 0.2);
        const alphaMeans: number[] = [];
        for (const likelihood of likelihoods[y] ?? []) {
          let integral = 0;
          let moment = 0;
          for (let i = 0; i < ALPHAS.length; i++) {
            const density = (aroundMu[i] as number) * (likelihood[i] as number);
            integral += density;
            moment += density * (ALPHAS[i] as number);
          }
          weight *= integral;
          alphaMeans.push(integral > 0 ? moment / integral : 0);
        }
        cells.push({ sigmaAlpha, sigmaY, mu });
        weights.push(weight);
        total += weight;
        const values = [sigmaAlpha, sigmaY, mu, ...alphaMeans, mu];
        for (const [i, value] of values.entries()) moments[i] = (moments[i] ?? 0) + weight * value;
      }
    }
  }
  const rankOf = cumulative(weights);
  /** One draw: a cell, then alpha_j point by point, then a score of every group and of an unseen one. */
  const draw = (random: Random) => {
    const cell = cells[rankOf(random.uniform())] as (typeof cells)[number];
    const scores = groups.map((given) => {
      const alphaPlace = cumulative(
        ALPHAS.map((alpha) =>
          given.reduce(
            (product, score) => product * normalDensity(score, alpha, cell.sigmaY),
            normalDensity(alpha, cell.mu, cell.sigmaAlpha),
          ),
        ),
      );
      return (ALPHAS[alphaPlace(random.uniform())] as number) + cell.sigmaY * random.normal();
    });
    const unseen = cell.mu + cell.sigmaAlpha * random.normal() + cell.sigmaY * random.normal();
    return { ...cell, scores: [...scores, unseen] };
  };
  return { draw, means: moments.map((moment) => moment / total) };
}

function modelOf(groups: readonly (readonly number[])[]): MixedModel {
  const model = new MixedModel(new SigmaGrid());
  for (const scores of groups) model.add(groupOf(scores));
  return model;
}

type Drawn = { sigmaAlpha: number; sigmaY: number; mu: number; scores: readonly number[] };

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of sigmaAlpha, sigmaY, mu and the scores. */
function meansOf(draws: readonly Drawn[]): number[] {
  const rows = draws.map(({ sigmaAlpha, sigmaY, mu, scores }) => [sigmaAlpha, sigmaY, mu, ...scores]);
  return (rows[0] ?? []).map((_, i) => meanOf(rows.map((row) => row[i] as number)));
}

/** How often each option is the largest, and how far its scores spread. */
function choicesOf(draws: readonly Drawn[]): number[] {
  return [...(draws[0]?.scores.keys() ?? [])].flatMap((option) => {
    const scores = draws.map((drawn) => drawn.scores[option] as number);
    const mean = meanOf(scores);
    const largest = draws.map((drawn) => Number(drawn.scores[option] === Math.max(...drawn.scores)));
    return [meanOf(largest), Math.sqrt(meanOf(scores.map((score) => (score - mean) ** 2)))];
  });
}

describe('the grid of the mixed model against brute force', () => {
  it.each<[string, number[][]]>([
    ['one group', [[0.2, 0.7]]],
    ['groups of different sizes', [[0.1, 0.5, 0.3], [0.9], [0.2, 0.6, 0.4, 0.8]]],
    ['binary scores', [[0, 1, 0, 0], [1], [0], [0, 0, 1]]],
    [
      'two far apart',
      [
        [0, 0.1, 0.2, 0.1],
        [0.9, 1, 0.8, 0.9],
      ],
    ],
  ])('%s', (_, groups) => {
    const brute = bruteForce(groups);
    const model = modelOf(groups);
    const random = randomStream('brute', groups.length);
    const draws = Array.from({ length: 30_000 }, () => {
      const draw = model.draw(random);
      const scores = [...groups.map((scores) => draw.scoreOf(groupOf(scores))), draw.unseenScore()];
      return { ...draw, scores };
    });
    // A mean over 30,000 draws that spread by 0.5 has a standard error of 0.003: four of them are 0.012.
    for (const [i, mean] of meansOf(draws).entries()) {
      expect(Math.abs(mean - (brute.means[i] as number)), `mean ${i}`).toBeLessThan(0.012);
    }
    // Shares of 4,000 and of 30,000 draws: four standard errors are 0.034.
    const theirs = choicesOf(Array.from({ length: 4_000 }, () => brute.draw(random)));
    for (const [i, share] of choicesOf(draws).entries()) {
      expect(Math.abs(share - (theirs[i] as number)), `share or spread ${i}`).toBeLessThan(0.034);
    }
  });

  it('without data it draws from the prior', () => {
    const model = new MixedModel(new SigmaGrid());
    const random = randomStream('prior');
    const draws = Array.from({ length: 20_000 }, () => {
      const draw = model.draw(random);
      return { ...draw, scores: [draw.unseenScore()] };
    });
    const [sigmaAlpha, sigmaY, mu, score] = meansOf(draws);
    // A half-normal of scale s has mean s sqrt(2/pi) and mean square s^2.
    expect(sigmaAlpha).toBeCloseTo(0.2 * Math.sqrt(2 / Math.PI), 2);
    expect(sigmaY).toBeCloseTo(0.3 * Math.sqrt(2 / Math.PI), 2);
    expect(mu).toBeCloseTo(0.5, 2);
    expect(score).toBeCloseTo(0.5, 2);
    expect(choicesOf(draws)[1]).toBeCloseTo(Math.sqrt(0.2 ** 2 + 0.2 ** 2 + 0.3 ** 2), 2);
  });
});

describe('the bookkeeping of the mixed model', () => {
  const random = () => randomStream('bookkeeping');
  const drawn = (model: MixedModel) => {
    const draw = model.draw(random());
    return [draw.sigmaAlpha, draw.sigmaY, draw.mu];
  };

  it('a group taken out leaves no trace, by sizes and by sums over the grid', () => {
    for (const sizes of [3, 14]) {
      const groups = Array.from({ length: sizes }, (_, i) =>
        Array.from({ length: i + 1 }, (_unused, k) => ((i + k) % 5) / 4),
      );
      const once = modelOf(groups);
      const twice = modelOf([...groups, [0.3, 0.9], [1]]);
      twice.remove(groupOf([0.3, 0.9]));
      twice.remove(groupOf([1]));
      for (const [i, value] of drawn(once).entries()) expect(drawn(twice)[i]).toBeCloseTo(value, 9);
    }
  });

  it('the order of the groups does not matter', () => {
    const groups = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 1 + (i % 10) }, (_unused, k) => ((3 * i + k) % 7) / 6),
    );
    const there = drawn(modelOf(groups));
    for (const [i, value] of drawn(modelOf([...groups].reverse())).entries()) {
      expect(value).toBeCloseTo(there[i] as number, 9);
    }
  });

  it('equal scores, for which the model has no proper posterior, still give finite draws near them', () => {
    const model = modelOf([Array.from({ length: 500 }, () => 1), [1], [1, 1, 1]]);
    const stream = randomStream('equal');
    for (let i = 0; i < 200; i++) {
      const score = model.draw(stream).scoreOf(groupOf([1, 1, 1]));
      expect(Math.abs(score - 1)).toBeLessThan(0.1);
    }
  });
});

describe('AB-MCTS-M', () => {
  const recorded = (selection: 'thompson' | 'ucb' | 'stack', pruning: boolean): AbMctsM => {
    const search = new AbMctsM({ selection, pruning }, 2, randomStream('m', selection));
    // Child 0: a subtree of five equal scores of 1. Child 1: a varied one.
    search.record(ROOT, 0, 1);
    search.record(ROOT, 1, 0.2);
    for (let i = 0; i < 4; i++) search.record(0, 0, 1);
    for (const score of [0.1, 0.5, 0.3]) search.record(1, 1, score);
    return search;
  };

  it.each(['thompson', 'ucb', 'stack'] as const)(
    '%s never goes below a child with equal scores',
    (selection) => {
      const search = recorded(selection, true);
      for (let i = 0; i < 300; i++) expect([-1, 1, 6, 7, 8]).toContain(search.selectExpansion()?.parent);
    },
  );

  it('says that the best child was passed over because it is pruned', () => {
    const search = recorded('thompson', true);
    const reasons = Array.from({ length: 100 }, () => search.selectExpansion()?.why ?? []).filter(
      ([first]) => first?.options[first.chosen] === 0,
    );
    expect(reasons.length).toBeGreaterThan(20);
    for (const [, second] of reasons)
      expect(second).toMatchObject({ node: ROOT, question: 'child', options: [1] });
  });

  it('without pruning the same child is the most wanted', () => {
    const search = recorded('thompson', false);
    const below = Array.from({ length: 300 }, () => search.selectExpansion()?.parent).filter(
      (parent) => parent !== ROOT && parent !== 1 && (parent ?? 0) < 6,
    );
    expect(below.length).toBeGreaterThan(150);
  });

  it('a chain of 25,000 nodes is updated and walked without overflow', () => {
    // mu as it is, going on high, a fresh attempt low: the walk goes down to the end.
    let draws = 0;
    const downward: Random = { ...randomStream('deep'), normal: () => [0, 5, -5][draws++ % 3] as number };
    const search = new AbMctsM({ selection: 'ucb', pruning: false }, 1, downward);
    for (let node = 0; node < 24_999; node++) search.tree.add(node - 1, 0);
    const deepest = search.record(24_998, 0, 0.5);
    expect(search.selectExpansion()).toMatchObject({ parent: deepest, agent: 0 });
  });
});
