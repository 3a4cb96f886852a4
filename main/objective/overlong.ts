import type { Objective } from '../../preload/contract';

/**
 * What an answer of `tokens` tokens loses for coming near the limit: 0 until the last `bufferTokens` before
 * `maximumTokens`, from there evenly down to -`factor` at the limit and beyond (DAPO, arXiv 2503.14476, section 3.4;
 * MARTI's --overlong_buffer_len). Without options no answer loses anything.
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
