import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { groupAdvantages, type RewardedTree, zeroAdvantageShare } from '../../../main/objective';
import type { Objective } from '../../../preload/contract';
import { byPython } from './python-reference';
import { anyTree, expectClose, mean, randomTree } from './random-trees';

const plain = { group: 'tree', allWrongAdvantage: 0 } as const;

function tree(rewards: readonly number[], rest: Partial<RewardedTree> = {}): RewardedTree {
  return { rewards, raw: rewards, parents: rewards.map(() => -1), agents: rewards.map(() => 0), ...rest };
}

const PYTHON = `
def work(case):
    trees, group, all_wrong = case
    key = {
        'tree': lambda t, n: t,
        'agent': lambda t, n: (t, trees[t]['agents'][n]),
        'siblings': lambda t, n: (t, trees[t]['parents'][n]),
        'batch': lambda t, n: 0,
    }[group]
    places = [(t, n) for t, tree in enumerate(trees) for n in range(len(tree['rewards']))]
    result = [[0] * len(tree['rewards']) for tree in trees]
    for t, n in places:
        group_rewards = [trees[a]['rewards'][b] for a, b in places if key(a, b) == key(t, n)]
        group_raw = [trees[a]['raw'][b] for a, b in places if key(a, b) == key(t, n)]
        advantage = 0
        if len(group_rewards) > 1 and max(group_rewards) > min(group_rewards):
            spread = statistics.stdev(group_rewards) + 1e-9
            advantage = (trees[t]['rewards'][n] - statistics.fmean(group_rewards)) / spread
        if not any(group_raw):
            advantage += all_wrong
        result[t][n] = max(-10, min(10, advantage))
    return result
`;

const groups: readonly Objective['group'][] = ['tree', 'agent', 'siblings', 'batch'];

describe('advantages', () => {
  it('are those of the specification', () => {
    const [raw, shaped] = groupAdvantages(
      [tree([0, 1, 0, 1, 0, 1]), tree([-0.5, 1.5, -0.25, 1.5, -0.5, 1.5])],
      plain,
    );
    expectClose(raw as number[], [-0.9129, 0.9129, -0.9129, 0.9129, -0.9129, 0.9129], 1e-4);
    expectClose(shaped as number[], [-0.9885, 0.9094, -0.7513, 0.9094, -0.9885, 0.9094], 1e-4);
  });

  it.each(groups)('over the group "%s" agree with a Python program', (group) => {
    const random = randomStream('advantages', group);
    const cases = Array.from({ length: 60 }, (_, i) => {
      const trees = Array.from({ length: 1 + random.integer(4) }, () => {
        const { parents, raw } = randomTree(random, 1 + random.integer(12));
        const rewards = raw.map((reward) => reward + random.integer(3) / 8);
        return {
          rewards,
          raw: raw.map((reward) => (i % 3 === 0 ? 0 : reward)),
          parents,
          agents: raw.map(() => random.integer(3)),
        };
      });
      return { trees, allWrongAdvantage: -random.integer(3) / 2 };
    });
    const expected = byPython<number[][]>(
      PYTHON,
      cases.map(({ trees, allWrongAdvantage }) => [trees, group, allWrongAdvantage]),
    );
    cases.forEach(({ trees, allWrongAdvantage }, i) => {
      groupAdvantages(trees, { group, allWrongAdvantage }).forEach((advantages, t) => {
        expectClose(advantages, expected[i]?.[t] as number[], 1e-6);
      });
    });
  });

  it.each(groups)('sum to 0 over a group "%s" while nothing is cut', (group) => {
    fc.assert(
      fc.property(fc.array(anyTree(12), { minLength: 1, maxLength: 4 }), (trees) => {
        const rewarded = trees.map(({ raw, parents }) =>
          tree(raw, { parents, agents: raw.map((_, i) => i % 3) }),
        );
        const all = groupAdvantages(rewarded, { group, allWrongAdvantage: 0 }).flat();
        expect(Math.abs(mean(all))).toBeLessThan(1e-9);
      }),
    );
  });

  it('do not change when the rewards are moved and scaled', () => {
    fc.assert(
      fc.property(anyTree(12), ({ raw }) => {
        const [before, after] = groupAdvantages(
          [tree(raw), tree(raw.map((reward) => 5 * reward - 3))],
          plain,
        );
        expectClose(after as number[], before as number[], 1e-7);
      }),
    );
  });

  it('go with their nodes into any order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(2)), { minLength: 1, maxLength: 12 }), (nodes) => {
        const advantagesIn = (order: typeof nodes): number[] =>
          groupAdvantages(
            [
              tree(
                order.map(([reward]) => reward / 4),
                { agents: order.map(([, agent]) => agent) },
              ),
            ],
            { group: 'agent', allWrongAdvantage: 0 },
          )[0] as number[];
        expectClose(advantagesIn([...nodes].reverse()), advantagesIn(nodes).reverse());
      }),
    );
  });

  it('are the same whether a tree comes alone or with others, but for the group "batch"', () => {
    const [one, two] = [tree([0, 1, 1]), tree([0.25, 0, 0.5, 1])];
    expect(groupAdvantages([one, two], plain)).toEqual([
      ...groupAdvantages([one], plain),
      ...groupAdvantages([two], plain),
    ]);
    const batch = { ...plain, group: 'batch' } as const;
    const together = groupAdvantages([one, two], batch).flat();
    expect(together).not.toEqual(groupAdvantages([one, two], plain).flat());
    // The samples of one update as one tree: the same.
    expectClose(groupAdvantages([tree([...one.rewards, ...two.rewards])], batch).flat(), together);
  });

  it.each(groups)('are 0, not NaN, of one node and of equal rewards, over "%s"', (group) => {
    const equal = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1];
    const both = groupAdvantages([tree([1]), tree(equal)], { group, allWrongAdvantage: 0 });
    expect(both[1]).toEqual(group === 'batch' ? both[1] : equal.map(() => 0));
    if (group !== 'batch') expect(both[0]).toEqual([0]);
    expect(both.flat().every(Number.isFinite)).toBe(true);
    expect(groupAdvantages([], { group, allWrongAdvantage: 0 })).toEqual([]);
    expect(groupAdvantages([tree([])], { group, allWrongAdvantage: 0 })).toEqual([[]]);
  });

  it('take differences of rounding for none', () => {
    const rewards = [0.3, 0.1 + 0.2, 0.3, 0.3];
    expect(groupAdvantages([tree(rewards)], plain)).toEqual([[0, 0, 0, 0]]);
  });

  it('of an agent without nodes in a tree change no other agent', () => {
    const [alone] = groupAdvantages([tree([0, 1], { agents: ['a', 'a'] })], { ...plain, group: 'agent' });
    const [both] = groupAdvantages([tree([0, 1, 0], { agents: ['a', 'a', 'b'] })], {
      ...plain,
      group: 'agent',
    });
    expectClose(alone as number[], [-Math.SQRT1_2, Math.SQRT1_2], 1e-8);
    expectClose(both as number[], [-Math.SQRT1_2, Math.SQRT1_2, 0], 1e-8);
  });

  it('are cut at 10', () => {
    const rewards = Array.from({ length: 200 }, (_, i) => (i === 0 ? 1 : 0));
    const [advantages] = groupAdvantages([tree(rewards)], plain);
    // Uncut it were 199 / sqrt(200) = 14.07.
    expect(advantages?.[0]).toBe(10);
  });

  it('count the failures of an all-wrong group where that is switched on, and of no other', () => {
    const objective = { ...plain, allWrongAdvantage: -0.5 };
    expect(groupAdvantages([tree([0, 0, 0])], objective)).toEqual([[-0.5, -0.5, -0.5]]);
    expect(groupAdvantages([tree([1, 1, 1])], objective)).toEqual([[0, 0, 0]]);
    expect(groupAdvantages([tree([0, 1])], objective)).toEqual(groupAdvantages([tree([0, 1])], plain));
    // Values that shaping or a penalty separates stay different.
    const [moved] = groupAdvantages([tree([0, -1], { raw: [0, 0] })], objective);
    expectClose(moved as number[], [Math.SQRT1_2 - 0.5, -Math.SQRT1_2 - 0.5], 1e-8);
  });

  it('of a chain of 100 000 nodes need no recursion and no quadratic time', { timeout: 20_000 }, () => {
    const rewards = Array.from({ length: 100_000 }, (_, i) => i % 2);
    const parents = rewards.map((_, node) => node - 1);
    for (const group of groups) {
      const [advantages] = groupAdvantages([tree(rewards, { parents })], { group, allWrongAdvantage: 0 });
      expect(advantages?.every(Number.isFinite)).toBe(true);
    }
  });

  it('refuse a tree whose lists differ in length', () => {
    expect(() => groupAdvantages([tree([0, 1], { agents: [0] })], plain)).toThrow(RangeError);
  });
});

describe('the share of zero advantages', () => {
  it('counts what moves nothing', () => {
    expect(zeroAdvantageShare([0, -0, 1e-9, 0.5])).toBe(0.75);
    expect(zeroAdvantageShare([1, -1])).toBe(0);
    expect(zeroAdvantageShare([])).toBe(0);
  });
});
