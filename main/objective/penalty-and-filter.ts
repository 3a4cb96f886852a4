import type { Objective } from '../../preload/contract';

/**
 * The penalty of an answer of `tokens` tokens near the limit: 0 up to `maximumTokens` - `bufferTokens`, then linear
 * down to -`factor` at the limit, and -`factor` beyond (DAPO, arXiv 2503.14476, section 3.4; MARTI's
 * --overlong_buffer_len). Without options it is always 0.
 */
export function overlongPenalty(tokens: number, options: Objective['overlong']): number {
  if (options === null) return 0;
  const { maximumTokens, bufferTokens, factor } = options;
  if (bufferTokens > maximumTokens) {
    throw new RangeError(`A buffer of ${bufferTokens} tokens does not fit into answers of ${maximumTokens}`);
  }
  const over = tokens - (maximumTokens - bufferTokens);
  return over > 0 ? (-factor * Math.min(over, bufferTokens)) / bufferTokens : 0;
}

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
