/** Settings of a search as the New study form calls them, and as every comparison of settings does. */
export const SEARCH_LABELS = {
  benchmark: 'Benchmark',
  strategy: 'Strategy',
  nodes: 'Nodes per tree (N)',
  samplesPerAgent: 'Samples per agent',
  batch: 'Parallel trials',
  order: 'Outcomes',
  grading: 'Grading mode',
  feedback: 'Refinement feedback',
  score: 'Node score',
  tie: 'Tie-breaking',
  rewardModel: 'Reward model',
  rewardUse: 'Reward use',
} as const;

export const ORDERS = [
  { value: 'asked', label: 'applied in request order' },
  { value: 'arrival', label: 'applied on arrival' },
] as const;
export const GRADING_MODES = [
  { value: 'as-program', label: 'as a program' },
  { value: 'as-published', label: "as the benchmark's grader" },
] as const;
export const FEEDBACK = [
  { value: 'verdicts', label: 'verdict of each public test' },
  { value: 'errors', label: 'first failure with input and error' },
  { value: 'marti', label: "MARTI's released prompts" },
] as const;
export const SCORES = [
  { value: 'fraction', label: 'partial credit (share of public tests)' },
  { value: 'all', label: 'all or nothing' },
] as const;
export const TIES = [
  { value: 'earliest', label: 'earliest node' },
  { value: 'latest', label: 'latest node' },
] as const;
export const REWARD_USES = [
  { value: 'choice', label: 'breaks ties' },
  { value: 'score', label: 'added to the score' },
] as const;
