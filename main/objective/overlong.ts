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
