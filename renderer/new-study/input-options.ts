/** The contract's bounds for number fields. */
export const LIMITS = {
  nodes: [1, 100_000],
  samplesPerAgent: [0, 1_000],
  batch: [1, 64],
  treeTokens: [1, 1_000_000_000],
  treeSeconds: [0.001, 1_000_000],
} as const;
