import { expect, test } from 'vitest';
import { contributionOf } from '../../../../main/metrics/teams/contributions';
import { treeShape } from '../../../../main/metrics/teams/tree-shapes';
import { contributionSchema, type TreeView, treeShapeSchema } from '../../../../preload/contract';
import { launchNamed, teamWith, treesOf } from '../../../support/team-views';

const team = teamWith(launchNamed('a'), launchNamed('b'));

/**
 * One:  0(a,w) - 1(b,p) - 3(b,w); 0 - 2(a,w). Two: 0(b,w), 1(b,w). Three: 0(a,p). Four: nothing was written.
 */
const view = treesOf(
  {
    one: [
      ['a', -1, 'w'],
      ['b', 0, 'p'],
      ['a', 0, 'w'],
      ['b', 1, 'w'],
    ],
    two: [
      ['b', -1, 'w'],
      ['b', -1, 'w'],
    ],
    three: [['a', -1, 'p']],
    four: [],
  },
  { team, configuration: 'duo' },
);

test('the shape of trees is their depth, first attempts, children and what passes at each depth', () => {
  const shape = treeShape('duo', [view]);
  expect(treeShapeSchema.parse(shape)).toEqual(shape);
  expect(shape).toEqual({
    configuration: 'duo',
    trees: 4,
    // 3, 1, 1 and 0 levels; 1, 2, 1 and 0 first attempts.
    meanDepth: 5 / 4,
    maxDepth: 3,
    meanWidth: 1,
    // Only the first has refinements: nodes 0 and 1 have three children together.
    meanBranching: 1.5,
    byDepth: [
      { depth: 1, nodes: 4, passed: 1 },
      { depth: 2, nodes: 2, passed: 1 },
      { depth: 3, nodes: 1, passed: 0 },
    ],
  });
});

test('every candidate, answer and refinement is its agent’s', () => {
  const contribution = contributionOf('duo', [view]);
  expect(contributionSchema.parse(contribution)).toEqual(contribution);
  expect(contribution.agents).toEqual([
    {
      agentId: 'a',
      name: 'Agent a',
      firstAttempts: 2,
      refinements: 1,
      firstAttemptsPassed: 1,
      refinementsPassed: 0,
      // "three" is its own; the answer of "one" refines its first attempt.
      solved: 1,
      childSolved: 1,
      tokens: 11 + 31 + 11,
    },
    {
      agentId: 'b',
      name: 'Agent b',
      firstAttempts: 2,
      refinements: 2,
      firstAttemptsPassed: 0,
      refinementsPassed: 1,
      solved: 1,
      childSolved: 0,
      tokens: 21 + 41 + 11 + 21,
    },
  ]);
  // [parent][child]: b refined a's failing program once, and fixed it.
  expect(contribution.transitions).toEqual([
    [
      { count: 1, repaired: 0 },
      { count: 1, repaired: 1 },
    ],
    [
      { count: 0, repaired: 0 },
      { count: 1, repaired: 0 },
    ],
  ]);
});

test('sums over agents are the sums over trees, and trees of all seeds count', () => {
  const { agents, transitions } = contributionOf('duo', [
    view,
    { ...view, config: { ...view.config, seed: 2 } },
  ]);
  const written = agents.reduce((sum, one) => sum + one.firstAttempts + one.refinements, 0);
  const moved = transitions.flat().reduce((sum, { count }) => sum + count, 0);
  expect(written).toBe(14);
  expect(moved).toBe(agents.reduce((sum, one) => sum + one.refinements, 0));
});

test('the seeds of finished runs have their spread beside every sum and mean; one that is not finished has none', () => {
  const other = treesOf(
    { one: [['a', -1, 'p']], two: [['a', -1, 'w']] },
    { team, configuration: 'duo', seed: 2 },
  );
  const both = [view, other].map((run) => ({ ...run, finished: true }));
  const { agents, transitions } = contributionOf('duo', both);
  const [first] = agents;
  // 2 and 2 first attempts of a; 1 and 0 refinements by it.
  expect(first?.seedSpreads?.firstAttempts).toEqual({ sd: 0, min: 2, max: 2 });
  expect(first?.seedSpreads?.refinements).toMatchObject({ min: 0, max: 1 });
  expect(first?.seedSpreads?.refinements?.sd).toBeCloseTo(Math.SQRT1_2, 12);
  expect(transitions[0]?.[1]?.seedSpreads?.repaired).toMatchObject({ min: 0, max: 1 });
  // Levels: 5 / 4 and 1.
  expect(treeShape('duo', both).seedSpreads?.meanDepth).toMatchObject({ min: 1, max: 5 / 4 });
  const open = both.map((run, at) => ({ ...run, finished: at === 0 }));
  expect(treeShape('duo', open)).not.toHaveProperty('seedSpreads');
  expect(contributionOf('duo', open).agents[0]).not.toHaveProperty('seedSpreads');
});

test('a tree that is still searched says nothing of shape or contribution', () => {
  const [key, tree] = [...view.trees][0] as [string, TreeView];
  const open = { ...view, trees: new Map([...view.trees, [key, { ...tree, searched: null }]]) };
  expect(treeShape('duo', [open]).trees).toBe(3);
  expect(contributionOf('duo', [open]).agents.map(({ refinements }) => refinements)).toEqual([0, 0]);
});
