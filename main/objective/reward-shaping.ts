import type { Objective } from '../../preload/contract';

/**
 * Tree-consistent reward shaping (arXiv 2604.14564; formula: docs/training.md, "Reward shaping"): a node's reward is
 * moved by `strength` times its lead over its baseline, a mixture of its parent's reward and the mean of its siblings'.
 * A first attempt has siblings alone; one without siblings keeps its reward, as does every node at strength 0.
 *
 * `parents`: index of each node's parent, -1 for a first attempt; a parent stands before its children.
 * `raw`: the nodes' rewards, any finite numbers. Gives one reward a node, in their order. A sibling counts with its
 * raw reward; the parent too, unless `shapedParent` says so (MARTI's code, which shapes in place).
 */
export function shapeRewards(
  parents: readonly number[],
  raw: readonly number[],
  { strength, siblingShare, shapedParent }: Objective['shaping'],
): number[] {
  checkTree(parents, raw);
  // Of the children of node p at p + 1; of the first attempts at 0.
  const sums = new Float64Array(raw.length + 1);
  const counts = new Uint32Array(raw.length + 1);
  parents.forEach((parent, node) => {
    sums[parent + 1] = (sums[parent + 1] as number) + (raw[node] as number);
    counts[parent + 1] = (counts[parent + 1] as number) + 1;
  });
  const shaped: number[] = [];
  parents.forEach((parent, node) => {
    const reward = raw[node] as number;
    const others = (counts[parent + 1] as number) - 1;
    const siblings = others === 0 ? null : ((sums[parent + 1] as number) - reward) / others;
    const above = parent < 0 ? null : ((shapedParent ? shaped : raw)[parent] as number);
    const baseline = mixed(above, siblings, siblingShare);
    shaped.push(baseline === null ? reward : reward + strength * (reward - baseline));
  });
  return shaped;
}

function mixed(above: number | null, siblings: number | null, siblingShare: number): number | null {
  if (above === null) return siblings;
  if (siblings === null) return above;
  return (1 - siblingShare) * above + siblingShare * siblings;
}

function checkTree(parents: readonly number[], raw: readonly number[]): void {
  if (parents.length !== raw.length) {
    throw new RangeError(`A tree of ${parents.length} nodes cannot have ${raw.length} rewards`);
  }
  parents.forEach((parent, node) => {
    if (!Number.isInteger(parent) || parent < -1 || parent >= node) {
      throw new RangeError(
        `Node ${node} cannot have the parent ${parent}: parents stand before their children`,
      );
    }
  });
}
