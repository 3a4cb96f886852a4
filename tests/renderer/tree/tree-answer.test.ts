import { describe, expect, it } from 'vitest';
import { treeKey } from '../../../preload/contract/folds';
import { answerOf } from '../../../renderer/run/tree/tree-label';
import { candidates, runViewOf } from '../../support/run-views';

describe('the answer of a tree', () => {
  const view = runViewOf({ p: { search: candidates('wpp'), samples: candidates('wpp') } });

  it('of a search is the node that it hands in', () => {
    const tree = view.trees.get(treeKey('p', 'search'));
    expect(tree && answerOf(tree, { tie: 'earliest', rewardModel: null })).toBe(1);
    expect(tree && answerOf(tree, { tie: 'latest', rewardModel: null })).toBe(2);
  });

  it('is not marked among independent samples: each is measured alone', () => {
    const tree = view.trees.get(treeKey('p', 'samples'));
    expect(tree?.nodes.length).toBe(3);
    expect(tree && answerOf(tree, { tie: 'latest', rewardModel: null })).toBeNull();
  });
});
