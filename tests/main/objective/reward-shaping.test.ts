import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { groupAdvantages, shapeRewards } from '../../../main/objective';
import { byPython } from './python-reference';
import { anyTree, expectClose, type RandomTree, randomTree } from './random-trees';

const paper = { strength: 0.5, siblingShare: 0.5, shapedParent: false };
const marti = { ...paper, shapedParent: true };
const parents = [-1, -1, 0, 0, 1, 2];
const raw = [0, 1, 0, 1, 0, 1];

/** In place and group by group, as the repository goes about it: a second way to the same numbers. */
const IN_PLACE = `
def work(case):
    parents, raw, gamma, mix, in_place = case
    rewards = list(raw)
    groups = {}
    for node, parent in enumerate(parents):
        groups.setdefault(parent, []).append(node)
    shaped = list(raw)
    for parent, children in groups.items():
        above = None if parent < 0 else (shaped if in_place else raw)[parent]
        for node in children:
            others = [raw[other] for other in children if other != node]
            if above is None and not others:
                continue
            if above is None:
                baseline = statistics.fmean(others)
            elif not others:
                baseline = above
            else:
                baseline = (1 - mix) * above + mix * statistics.fmean(others)
            shaped[node] = raw[node] + gamma * (raw[node] - baseline)
    return shaped
`;

describe('shaped rewards', () => {
  it('are those of the specification, with raw and with shaped parents', () => {
    expect(shapeRewards(parents, raw, paper)).toEqual([-0.5, 1.5, -0.25, 1.5, -0.5, 1.5]);
    expect(shapeRewards(parents, raw, marti)).toEqual([-0.5, 1.5, -0.125, 1.625, -0.75, 1.5625]);
  });

  it('agree with a Python program that shapes group by group', () => {
    const random = randomStream('shaping');
    const cases = Array.from({ length: 200 }, (_, i) => {
      const tree = randomTree(random, 1 + random.integer(30));
      const shaping = {
        strength: random.integer(9) / 4,
        siblingShare: random.integer(5) / 4,
        shapedParent: i % 2 === 0,
      };
      return { tree, shaping };
    });
    const expected = byPython<number[]>(
      IN_PLACE,
      cases.map(({ tree, shaping }) => [
        tree.parents,
        tree.raw,
        shaping.strength,
        shaping.siblingShare,
        shaping.shapedParent,
      ]),
    );
    cases.forEach(({ tree, shaping }, i) => {
      expectClose(shapeRewards(tree.parents, tree.raw, shaping), expected[i] as number[]);
    });
  });

  it('of one node, and of a chain from one first attempt, by hand', () => {
    expect(shapeRewards([-1], [1], paper)).toEqual([1]);
    // No siblings anywhere: 1 + 0.5 (1 - 0) below 0, then 0.25 + 0.5 (0.25 - 1) below 1.
    expect(shapeRewards([-1, 0, 1], [0, 1, 0.25], paper)).toEqual([0, 1.5, -0.125]);
    expect(shapeRewards([-1, 0, 1], [0, 1, 0.25], marti)).toEqual([0, 1.5, -0.375]);
    expect(shapeRewards([], [], paper)).toEqual([]);
  });

  it('listen to the parent alone at sibling share 0, to the siblings alone at 1', () => {
    const tree = [
      [-1, 0, 0],
      [0.5, 1, 0],
    ] as const;
    expect(shapeRewards(...tree, { ...paper, siblingShare: 0 })).toEqual([0.5, 1.25, -0.25]);
    expect(shapeRewards(...tree, { ...paper, siblingShare: 1 })).toEqual([0.5, 1.5, -0.5]);
  });

  it('are the raw ones at strength 0', () => {
    fc.assert(
      fc.property(anyTree(20), fc.boolean(), (tree, shapedParent) => {
        expect(shapeRewards(tree.parents, tree.raw, { ...paper, strength: 0, shapedParent })).toEqual(
          tree.raw,
        );
      }),
    );
  });

  it('are the raw ones where all are equal', () => {
    fc.assert(
      fc.property(anyTree(20), fc.nat(4), fc.boolean(), (tree, reward, shapedParent) => {
        const equal = tree.raw.map(() => reward / 4);
        expect(shapeRewards(tree.parents, equal, { ...paper, shapedParent })).toEqual(equal);
      }),
    );
  });

  it('move along when all raw rewards are moved and scaled', () => {
    fc.assert(
      fc.property(anyTree(20), fc.boolean(), (tree, shapedParent) => {
        const shaping = { ...paper, strength: 0.7, siblingShare: 0.3, shapedParent };
        const moved = tree.raw.map((reward) => 3 * reward - 2);
        const expected = shapeRewards(tree.parents, tree.raw, shaping).map((reward) => 3 * reward - 2);
        expectClose(shapeRewards(tree.parents, moved, shaping), expected);
      }),
    );
  });

  it('do not depend on the order of siblings and their subtrees', () => {
    fc.assert(
      fc.property(anyTree(20), fc.infiniteStream(fc.nat(1_000)), fc.boolean(), (tree, luck, shapedParent) => {
        const order = reordered(tree, luck);
        const position = new Map(order.map((node, i) => [node, i]));
        const parents = order.map((node) => position.get(tree.parents[node] as number) ?? -1);
        const raw = order.map((node) => tree.raw[node] as number);
        const before = shapeRewards(tree.parents, tree.raw, { ...paper, shapedParent });
        const after = shapeRewards(parents, raw, { ...paper, shapedParent });
        expectClose(
          after,
          order.map((node) => before[node] as number),
        );
      }),
    );
  });

  it('leave the advantages of a flat group as they are: there they are raw rewards, stretched', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 2, maxLength: 16 }), (quarters) => {
        const rewards = quarters.map((quarter) => quarter / 4);
        const flat = rewards.map(() => -1);
        const advantagesOf = (shaped: number[]): number[] =>
          groupAdvantages([{ rewards: shaped, raw: rewards, parents: flat, agents: flat }], {
            group: 'tree',
            allWrongAdvantage: 0,
          })[0] as number[];
        expectClose(advantagesOf(shapeRewards(flat, rewards, paper)), advantagesOf(rewards), 1e-7);
      }),
    );
  });

  it.each([
    ['a chain', (node: number) => node - 1],
    ['a star', (node: number) => (node === 0 ? -1 : 0)],
  ])('of %s of 100 000 nodes need no recursion and no quadratic time', { timeout: 20_000 }, (_, parentOf) => {
    const deep = Array.from({ length: 100_000 }, (_, node) => parentOf(node));
    const rewards = deep.map((_, node) => node % 2);
    const shaped = shapeRewards(deep, rewards, marti);
    expect(shaped).toHaveLength(100_000);
    expect(shaped.every(Number.isFinite)).toBe(true);
  });

  it.each([
    ['a parent behind its child', [1, -1], [0, 0]],
    ['its own parent', [-1, 1], [0, 0]],
    ['a parent below the root', [-2], [0]],
    ['half a parent', [-1, 0.5], [0, 0]],
    ['a reward too few', [-1, 0], [0]],
  ])('refuse %s', (_, parents, raw) => {
    expect(() => shapeRewards(parents, raw, paper)).toThrow(RangeError);
  });
});

/** The nodes in another order in which parents still stand before their children. */
function reordered({ parents }: RandomTree, luck: Iterable<number>): number[] {
  const chance = luck[Symbol.iterator]();
  const open = parents.flatMap((parent, node) => (parent < 0 ? [node] : []));
  const order: number[] = [];
  while (open.length > 0) {
    const [node] = open.splice((chance.next().value as number) % open.length, 1) as [number];
    order.push(node);
    parents.forEach((parent, child) => {
      if (parent === node) open.push(child);
    });
  }
  return order;
}
