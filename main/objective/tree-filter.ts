import type { Objective } from '../../preload/contract';

/** MARTI's margin: rounding may move a mean off the bound. */
const MARGIN = 1e-6;

/**
 * Dynamic filtering (DAPO, arXiv 2503.14476, section 3.2): whether the mean raw reward of a tree lies strictly between
 * the two bounds. Bounds of 0 and 1 drop trees in which all nodes pass or all fail. Without a filter every tree is
 * kept; with one, a tree without nodes is dropped.
 */
export function keepsTree(raw: readonly number[], filter: Objective['filter']): boolean {
  if (filter === null) return true;
  if (raw.length === 0) return false;
  const mean = raw.reduce((sum, reward) => sum + reward, 0) / raw.length;
  return mean > filter.low + MARGIN && mean < filter.high - MARGIN;
}
