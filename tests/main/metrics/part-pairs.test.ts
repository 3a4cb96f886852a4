import { describe, expect, it } from 'vitest';
import { analyseStudy, type ProblemFacts } from '../../../main/metrics';
import { analysisSchema, type RunConfig, type RunView } from '../../../preload/contract';
import { candidates, type ProblemTrees, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-fixture';

const one = configWith({ nodes: 1, samplesPerAgent: 0 });

function run(
  configuration: string,
  solved: (at: number) => boolean,
  change: Partial<RunConfig> = {},
): RunView {
  const problems: [string, ProblemTrees][] = Array.from({ length: 40 }, (_, at) => [
    `q${at}`,
    { search: candidates(solved(at) ? 'p' : 'w') },
  ]);
  return runViewOf(Object.fromEntries(problems), {
    ...{ team: one.team, search: one.search, configuration, id: `${configuration}.1`, ...change },
  });
}

/** 24 easy problems of January to March, 16 hard ones of March. */
const facts = new Map<string, ProblemFacts>(
  Array.from({ length: 40 }, (_, at) => [
    `q${at}`,
    { difficulty: at < 24 ? 'easy' : 'hard', date: `2025-0${Math.min(3, 1 + Math.floor(at / 10))}-04` },
  ]),
);

function analyse(runs: readonly RunView[], known: ReadonlyMap<string, ProblemFacts> = facts) {
  const analysis = analyseStudy({ studyId: 's', runs, complete: true, seed: 1, facts: known });
  expect(analysisSchema.parse(analysis)).toEqual(analysis);
  return analysis;
}

const WAYS = (n: number, k: number): number => (k === 0 ? 1 : (WAYS(n, k - 1) * (n - k + 1)) / k);

/** Two-sided binomial test by its definition: all outcomes at least as far from half. */
function signTest(first: number, second: number): number {
  const n = first + second;
  let sum = 0;
  for (let k = 0; k <= n; k++)
    if (Math.abs(2 * k - n) >= Math.abs(first - second)) sum += WAYS(n, k) / 2 ** n;
  return Math.min(1, sum);
}

describe('differences in parts of the problems', () => {
  // The base solves every fourth problem; the other one all hard ones too, and one easy one less.
  const base = run('base', (at) => at % 4 === 0);
  const other = run('other', (at) => at !== 0 && (at >= 24 || at % 4 === 0));
  const third = run('third', (at) => at % 2 === 0);

  it('have in each part the difference, the problems and an exact test', () => {
    const hard = analyse([base, other]).partPairs.find(
      ({ part, metric }) => part === 'hard' && metric === 'pass@1(mcts)',
    );
    // Of 16 hard problems the base solves 4.
    expect(hard).toMatchObject({
      ...{ by: 'difficulty', first: 'other', second: 'base', difference: 12 / 16, problems: 16 },
      test: { kind: 'mcnemar', onlyFirst: 12, onlySecond: 0 },
    });
    expect(hard?.test.p).toBeCloseTo(signTest(12, 0), 12);
    expect(hard?.low).toBeGreaterThan(0.4);
    expect(hard?.high).toBeLessThan(1);
  });

  it('have an effect size, and of several seeds the spread of the seeds, as the values of the parts have', () => {
    const seeds = (name: string, solved: (at: number) => boolean) =>
      [1, 2].map((seed) =>
        run(name, (at) => solved(at) && (seed === 1 || at % 8 !== 0), { id: `${name}.${seed}`, seed }),
      );
    const { partPairs, breakdowns } = analyse([
      ...seeds('base', (at) => at % 4 === 0),
      ...seeds('other', (at) => at !== 0 && (at >= 24 || at % 4 === 0)),
    ]);
    const isHard = (one: { readonly part: string; readonly metric: string }): boolean =>
      one.part === 'hard' && one.metric === 'pass@1(mcts)';
    const pair = partPairs.find(isHard);
    expect(pair?.oddsRatio).toMatchObject({ value: null, high: null });
    // Of 16 hard problems seed 1 solves 16 against 4, seed 2 without the two multiples of 8: 14 against 2.
    expect(pair?.seedSpread).toEqual({ sd: 0, min: 0.75, max: 0.75 });
    const hard = breakdowns.filter(isHard).map(({ value, seedSpread }) => [value, seedSpread?.min]);
    expect(hard).toEqual([
      [3 / 16, 2 / 16],
      [15 / 16, 14 / 16],
    ]);
  });

  it('are corrected over all parts and pairs of a grouping and metric', () => {
    const { partPairs } = analyse([base, other, third]);
    const months = partPairs.filter(({ by, metric }) => by === 'month' && metric === 'pass@n');
    expect(months).toHaveLength(3 * 3);
    const ps = months.map(({ test }) => signTest(test.onlyFirst, test.onlySecond));
    // Holm by its definition: reject one after the other, each at what is left; the largest so far counts.
    const sorted = [...ps].sort((a, b) => a - b);
    const holmOf = (p: number): number =>
      Math.max(
        ...sorted
          .slice(0, sorted.lastIndexOf(p) + 1)
          .map((one, rank) => Math.min(1, one * (ps.length - rank))),
      );
    for (const [at, { test, separable }] of months.entries()) {
      expect(test.p).toBeCloseTo(ps[at] ?? 0, 12);
      expect(test.pHolm).toBeCloseTo(holmOf(ps[at] ?? 0), 12);
      expect(separable).toBe(test.pHolm < 0.05);
    }
    expect(months.some(({ separable }) => separable)).toBe(true);
  });

  it('count the problems that every configuration has finished, and parts add up to the whole', () => {
    const shorter = run('shorter', (at) => at % 3 === 0, {
      problemIds: Array.from({ length: 30 }, (_, at) => `q${at}`),
    });
    const { partPairs, pairs } = analyse([base, shorter]);
    const easyAndHard = partPairs.filter(({ by, metric }) => by === 'difficulty' && metric === 'pass@n');
    expect(easyAndHard.map(({ part, problems }) => [part, problems])).toEqual([
      ['easy', 24],
      ['hard', 6],
    ]);
    const weighted =
      easyAndHard.reduce((sum, { difference, problems }) => sum + difference * problems, 0) / 30;
    expect(weighted).toBeCloseTo(pairs.find(({ metric }) => metric === 'pass@n')?.difference ?? 0, 12);
  });

  it('are not made of a grouping with one part, nor of one configuration', () => {
    const same = new Map([...facts].map(([id, fact]) => [id, { ...fact, date: '2025-01-01' }]));
    expect(new Set(analyse([base, other], same).partPairs.map(({ by }) => by))).toEqual(
      new Set(['difficulty']),
    );
    expect(analyse([base]).partPairs).toEqual([]);
    expect(analyse([base, other], new Map()).partPairs).toEqual([]);
  });

  it('are of many configurations those from the first, and of more than 30 none', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => run(`c${at}`, (problem) => problem % (at + 2) === 0));
    const { partPairs } = analyse(many(7));
    expect(new Set(partPairs.map(({ second }) => second))).toEqual(new Set(['c0']));
    expect(partPairs.filter(({ by, metric }) => by === 'difficulty' && metric === 'pass@n')).toHaveLength(
      6 * 2,
    );
    expect(analyse(many(31)).partPairs).toEqual([]);
  });
});
