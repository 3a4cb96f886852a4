/** What decides how much memory a token takes in the cache of keys and values. */
export type ModelShape = {
  readonly layers: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Tokens that the model was made for; null: not known. */
  readonly contextTokens: number | null;
};

/** Bytes that one token takes: keys and values, 2 bytes a number (16 bit, as engines do unless told otherwise). */
export function cacheBytesPerToken({ layers, kvHeads, headDim }: ModelShape): number {
  return layers * kvHeads * headDim * 2 * 2;
}
