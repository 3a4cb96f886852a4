import type { Objective } from '../../preload/contract';

/**
 * Tree-consistent reward shaping (arXiv 2604.14564; formula: docs/training.md, "Reward shaping"): `strength` times
 * (reward - baseline) is added to each node's reward. The baseline is a mixture of the parent's reward and the mean of
 * the siblings'. A first attempt has no parent, so its siblings' mean is the baseline; without siblings its reward
 * stays. At strength 0 all rewards stay.
 *
 * `parents`: index of each node's parent, -1 for a first attempt; a parent stands before its children. `raw`: the
 * nodes' rewards, any finite numbers. Returns one reward per node, in their order. Siblings count with raw rewards, and
 * so do parents unless `shapedParent` is set (as in MARTI's code, which shapes in place).
 */
export function shapeRewards(
  parents: readonly number[],
  raw: readonly number[],
  { strength, siblingShare, shapedParent }: Objective['shaping'],
): number[] {
  checkTree(parents, raw);
  // The children of node p are counted at p + 1, the first attempts at 0.
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
