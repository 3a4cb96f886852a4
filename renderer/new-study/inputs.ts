/** Messages stand below their input, so that inputs of one line stay in line. */
export const MESSAGES_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'error',
  'description',
];

/** Lists open at once. */
export const STILL = { transitionProps: { duration: 0 } };
