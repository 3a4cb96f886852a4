import { describe, expect, it } from 'vitest';
import { diversityCells, type TreeDiversity, tokenCounts, treeDiversity } from '../../../../main/metrics';
import { effectiveAlgorithms } from '../../../../main/metrics/diversity/algorithm-measures';
import { TwoLevelBootstrap } from '../../../../main/metrics/two-level-bootstrap';

const tools = {
  same: (one: string, other: string) => one.charAt(0) === other.charAt(0),
  vectorsOf: tokenCounts,
  yieldControl: async () => {},
};

describe('a tree', () => {
  it('is read by its correct programs, its Vendi score by all', async () => {
    const diversity = await treeDiversity(
      [
        { program: 'a', passed: true },
        { program: 'a2', passed: true },
        { program: 'b', passed: true },
        { program: 'c', passed: false },
        { program: 'c', passed: false },
        { program: null, passed: false },
      ],
      tools,
    );
    expect(diversity).toMatchObject({ distinct: 4 / 5, sizes: [2, 1], gVendi: null });
    // Shares 1/5, 1/5, 1/5 and 2/5 of programs that have nothing in common.
    expect(diversity.vendi).toBeCloseTo(5 ** 0.6 * 2.5 ** 0.4, 10);
  });

  it('without programs has no value', async () => {
    expect(await treeDiversity([{ program: null, passed: false }], tools)).toEqual({
      distinct: null,
      sizes: [],
      vendi: null,
      gVendi: null,
    });
  });

  it('has gradients where the policy gives them', async () => {
    const gradientsOf = () => [Float64Array.of(1, 0), Float64Array.of(0, 1), null];
    const programs = ['a', 'b', 'c'].map((program) => ({ program, passed: false }));
    expect((await treeDiversity(programs, { ...tools, gradientsOf })).gVendi).toBeCloseTo(2, 12);
  });
});

describe('cells', () => {
  const tree = (sizes: readonly number[]): TreeDiversity => ({
    distinct: 0.5,
    sizes,
    vendi: 2,
    gVendi: null,
  });
  const problem = (problemId: string, ...trees: TreeDiversity[]) => ({
    configuration: 'duo',
    problemId,
    trees,
  });
  const cells = diversityCells(
    [problem('p', tree([3, 1])), problem('q', tree([])), problem('r', tree([1, 1]), tree([2]))],
    { seed: 1, resamples: 200 },
  );
  const cellOf = (measure: string, k: number | null = null) =>
    cells.find((cell) => cell.measure === measure && cell.k === k);

  it('are means over problems, each the mean over its seeds; unsolved ones are left out of DA@K and EA', () => {
    // p: 1.5, 1.7548; r: (2 + 1) / 2 each.
    expect(cellOf('da@k', 2)).toMatchObject({ value: 1.5, problems: 2 });
    expect(cellOf('ea')?.value).toBeCloseTo((1.754765 + 1.5) / 2, 6);
    expect(cellOf('ea')?.problems).toBe(2);
  });

  it('count an unsolved problem 0 in AEC (ours)', () => {
    expect(cellOf('aec')?.value).toBeCloseTo((1.754765 + 0 + 1.5) / 3, 6);
    expect(cellOf('aec')?.problems).toBe(3);
  });

  it('of several seeds have an interval over problems and seeds, and the spread of the seeds', () => {
    const seeds = [
      [[3], [1, 1], [2, 2, 1]],
      [[1, 1, 1], [2], [4]],
      [
        [2, 1],
        [1, 1, 1],
        [3, 1],
      ],
    ];
    const problems = seeds.map((own, at) => problem(`p${at}`, ...own.map((sizes) => tree(sizes))));
    const cell = diversityCells(problems, { seed: 1, resamples: 200 }).find(
      ({ measure }) => measure === 'ea',
    );
    const bySeed = [0, 1, 2].map((seed) =>
      problems.map(({ trees }) => effectiveAlgorithms((trees[seed] as TreeDiversity).sizes)),
    );
    expect(cell).toMatchObject(new TwoLevelBootstrap(1, 200).mean(bySeed));
    expect(cell?.seedSpread?.sd).toBeGreaterThan(0);
  });

  it('are left out where no tree has a value', () => {
    expect(cellOf('g-vendi')).toBeUndefined();
    expect(cellOf('vendi')).toMatchObject({ value: 2, low: 2, high: 2, problems: 3 });
  });
});
