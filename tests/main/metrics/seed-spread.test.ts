import { describe, expect, it } from 'vitest';
import { analyseStudy } from '../../../main/metrics';
import { seedSpread } from '../../../main/metrics/seed-spread';
import type { RunView } from '../../../preload/contract';
import { candidates, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-fixture';

const one = configWith({ nodes: 1, samplesPerAgent: 0 });

function run(seed: number, letters: string): RunView {
  const problems = [...letters].map((letter, at) => [`q${at}`, { search: candidates(letter) }] as const);
  return runViewOf(Object.fromEntries(problems), {
    team: one.team,
    search: one.search,
    seed,
    id: `r${seed}`,
  });
}

describe('the spread over seeds', () => {
  it('is the standard deviation of their own values, with the lowest and the highest', () => {
    // 1/4, 2/4 and 4/4 of the problems are solved.
    const runs = [run(1, 'pwww'), run(2, 'ppww'), run(3, 'pppp')];
    const { rows } = analyseStudy({ studyId: 's', runs, complete: true, seed: 1 });
    const cell = rows[0]?.cells.find(({ metric }) => metric === 'pass@n');
    expect(cell?.seedSpread).toMatchObject({ min: 0.25, max: 1 });
    // By the formula with pairs: the variance is half the mean squared difference of two different seeds.
    const pairs = [0.25 - 0.5, 0.25 - 1, 0.5 - 1];
    const variance = pairs.reduce((sum, difference) => sum + difference ** 2, 0) / 3 / 2;
    expect(cell?.seedSpread?.sd).toBeCloseTo(Math.sqrt(variance), 12);
  });

  it('of equal values is 0, not what their mean loses by rounding', () => {
    expect(seedSpread([[0.4], [0.4], [0.4]])).toEqual({ seedSpread: { sd: 0, min: 0.4, max: 0.4 } });
  });

  it('is left out of one seed, and without values', () => {
    const { rows } = analyseStudy({ studyId: 's', runs: [run(1, 'pw')], complete: true, seed: 1 });
    for (const cell of rows[0]?.cells ?? []) expect(cell).not.toHaveProperty('seedSpread');
    expect(seedSpread(null)).toEqual({});
    expect(seedSpread([[Number.NaN], [1]])).toEqual({});
  });

  it('leaves out problems that a seed does not know', () => {
    expect(
      seedSpread([
        [1, Number.NaN],
        [0, 1],
      ]),
    ).toEqual({ seedSpread: { sd: Math.sqrt(0.125), min: 0.5, max: 1 } });
  });
});
