/** Limits of an agent per tree, with the contract's bounds. */
export const MEMBER_LIMITS = [
  { field: 'nodes', name: 'Max nodes', limits: [1, 100_000] },
  { field: 'tokens', name: 'Max tokens', limits: [1, 1_000_000_000] },
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
