/** The contract's bounds for number fields. */
export const LIMITS = {
  nodes: [1, 100_000],
  samplesPerAgent: [0, 1_000],
  batch: [1, 64],
  treeTokens: [1, 1_000_000_000],
  treeSeconds: [0.001, 1_000_000],
} as const;

/** Number fields of an agent, with the contract's bounds. */
export const MEMBER_LIMITS = [
  { field: 'temperature', name: 'Temperature', limits: [0, 10], whole: false },
  { field: 'topP', name: 'Top-p', limits: [0.001, 1], whole: false },
  { field: 'maxTokens', name: 'Max answer', limits: [1, 1_000_000], whole: true },
  { field: 'nodes', name: 'Max nodes', limits: [1, 100_000], whole: true },
  { field: 'tokens', name: 'Max tokens', limits: [1, 1_000_000_000], whole: true },
] as const;

/** Messages go below their input, so that inputs in a row stay aligned. */
export const MESSAGES_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'error',
  'description',
];

/** Lists open without animation. */
export const NO_TRANSITION = { transitionProps: { duration: 0 } };
