import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { isProblemDone, sampleCounts, treeSeries } from '../../../main/metrics';
import { selectedNode, type TreeView, treeKey } from '../../../preload/contract';
import { candidates, type ProblemTrees, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-fixture';

const FIRST = 'p/0';
const LATEST = { tie: 'latest', rewardModel: null } as const;

function viewOf(trees: ProblemTrees, samplesPerAgent = 0) {
  return runViewOf({ [FIRST]: trees }, { search: configWith({ samplesPerAgent }).search });
}

function treeOf(letters: string): TreeView {
  return viewOf({ search: candidates(letters) }).trees.get(treeKey(FIRST, 'search')) as TreeView;
}

describe('the series of a tree', () => {
  it.each([
    ['wlp', 'latest', [0, 0, 1], [0, 1, 1], [0, 0, 1]],
    ['lpw', 'earliest', [0, 1, 1], [1, 1, 1], [0, 0, 0]],
    ['plw', 'latest', [1, 1, 1], [1, 1, 1], [1, 0, 0]],
    ['plw', 'earliest', [1, 1, 1], [1, 1, 1], [1, 1, 1]],
    ['www', 'latest', [0, 0, 0], [0, 0, 0], [0, 0, 0]],
  ] as const)('of %s with ties to the %s node', (letters, tie, found, foundPublic, chosen) => {
    const series = treeSeries(treeOf(letters), 3, { tie, rewardModel: null });
    expect([...series.found]).toEqual(found);
    expect([...series.foundPublic]).toEqual(foundPublic);
    expect([...series.chosen]).toEqual(chosen);
  });

  it('keeps its last value after a tree that stopped early', () => {
    expect([...treeSeries(treeOf('wp'), 5, LATEST).found]).toEqual([0, 1, 1, 1, 1]);
  });

  it('leaves out and counts nodes on which the sandbox failed', () => {
    const series = treeSeries(treeOf('pfl'), 3, LATEST);
    expect(series).toMatchObject({ candidates: 2, faults: 1 });
    expect([...series.chosen]).toEqual([1, 1, 0]);
  });

  it('chooses as the view of a tree does', () => {
    const random = randomStream('letters');
    for (let i = 0; i < 50; i++) {
      const letters = Array.from({ length: 12 }, () => 'plww'[random.integer(4)]).join('');
      const tree = treeOf(letters);
      for (const tie of ['earliest', 'latest'] as const) {
        const chosen = [...treeSeries(tree, 12, { tie, rewardModel: null }).chosen];
        const expected = tree.nodes.map((_, n) =>
          Number(selectedNode(tree.nodes, { tie, rewardModel: null }, n + 1)?.privateVerdict === 'passed'),
        );
        expect(chosen).toEqual(expected);
      }
    }
  });
});

describe('the answer of a tree', () => {
  const rewarded = (rewards: readonly number[], use: 'choice' | 'score') => {
    const nodes = treeOf('lpl').nodes.map((node, i) => ({ ...node, reward: rewards[i] ?? null }));
    const rewardModel = { source: { kind: 'pocket', seed: 1 }, use, weight: 0.2 } as const;
    return treeSeries({ ...treeOf('lpl'), nodes }, 3, { tie: 'latest', rewardModel });
  };

  it('among equal scores is the one with the largest reward, where the reward chooses', () => {
    expect([...rewarded([0.1, 0.9, 0.5], 'choice').chosen]).toEqual([0, 1, 1]);
    expect([...rewarded([0.1, 0.9, 0.5], 'score').chosen]).toEqual([0, 1, 0]);
  });

  it.each([
    ['lpl', 1 / 3],
    ['wpl', 1 / 2],
    ['wwp', 1],
    ['www', 0],
    ['fpl', 1 / 2],
    ['fff', 0],
  ])('of %s passes with a chance of %f when ties are broken by chance', (letters, chance) => {
    expect(treeSeries(treeOf(letters), 3, LATEST).overTies).toBe(chance);
  });

  it('ties only with nodes of the same reward, where the reward chooses', () => {
    expect(rewarded([0.1, 0.9, 0.5], 'choice').overTies).toBe(1);
    expect(rewarded([0.1, 0.9, 0.9], 'choice').overTies).toBe(0.5);
    expect(rewarded([0.1, 0.9, 0.5], 'score').overTies).toBe(1 / 3);
  });
});

describe('independent samples', () => {
  it('are averaged over agents, not over samples', () => {
    const samples = [...candidates('pppp', 'a'), ...candidates('wf', 'b')];
    const view = viewOf({ samples }, 4);
    expect(sampleCounts(view.trees.get(treeKey(FIRST, 'samples')) as TreeView)).toEqual({
      samples: 5,
      passed: 4,
      faults: 1,
      passRate: 0.5,
    });
  });
});

describe('a problem', () => {
  it.each<[string, ProblemTrees, number, boolean]>([
    ['is done with all trees graded', { search: candidates('wp'), samples: candidates('w') }, 4, true],
    ['is not done while a node is not graded', { search: candidates('wp'), graded: 1 }, 0, false],
    ['is not done without its samples', { search: candidates('wp') }, 4, false],
    ['needs no samples where none were asked', { search: candidates('wp') }, 0, true],
    ['is not done before its search', { samples: candidates('w') }, 4, false],
  ])('%s', (_, trees, samplesPerAgent, done) => {
    expect(isProblemDone(viewOf(trees, samplesPerAgent), FIRST)).toBe(done);
  });
});
