/** Bounds of the contract, for what is typed. */
export const LIMITS = {
  nodes: [1, 100_000],
  samplesPerAgent: [0, 1_000],
  batch: [1, 64],
  treeTokens: [1, 1_000_000_000],
  treeSeconds: [0.001, 1_000_000],
} as const;

/** What can be typed of an agent, with the contract's bounds. */
export const MEMBER_LIMITS = [
  { field: 'temperature', name: 'Temperature', limits: [0, 10], whole: false },
  { field: 'topP', name: 'Top-p', limits: [0.001, 1], whole: false },
  { field: 'maxTokens', name: 'Longest answer', limits: [1, 1_000_000], whole: true },
  { field: 'nodes', name: 'Most nodes', limits: [1, 100_000], whole: true },
  { field: 'tokens', name: 'Most tokens', limits: [1, 1_000_000_000], whole: true },
] as const;

/** Messages stand below their input, so that inputs of one line stay in line. */
export const MESSAGES_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'error',
  'description',
];

/** Lists open at once. */
export const NO_TRANSITION = { transitionProps: { duration: 0 } };
