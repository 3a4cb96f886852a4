import type { SearchOptions, Strategy } from '../strategy';

/** What a search does without when nobody asks for it: plain feedback, no reward model, no early end. */
export const PLAIN_SEARCH = {
  order: 'asked',
  feedback: 'verdicts',
  rewardModel: null,
  stopWhenSolved: false,
  treeBudget: { tokens: null, seconds: null },
  grading: 'as-program',
} as const satisfies Partial<SearchOptions>;

/** All that makes a way of searching; how much of it (nodes, samples, batch) is the study's own. */
export type SearchMethod = Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback'> & {
  /** Wants a reward model; which one is the user's choice. Without one the run says so. */
  readonly guided: boolean;
};

export type Preset = {
  readonly id: string;
  readonly name: string;
  /** One line that explains it. */
  readonly line: string;
  readonly source: string;
  readonly method: SearchMethod;
};

const beta = { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null } as const;
const gaussian = { ...beta, beliefs: 'gaussian' } as const;
/** Our choice of gamma(d); the paper gives "about 0.98 at shallow depth, smaller when deeper". */
export const DEPTH_GUIDANCE = { start: 0.98, slope: 0.02, floor: 0.8, counter: 'depth' } as const;

function baseline(strategy: Strategy): SearchMethod {
  return { strategy, score: 'fraction', tie: 'earliest', feedback: 'verdicts', guided: false };
}

const mars2: SearchMethod = {
  strategy: beta,
  score: 'all',
  tie: 'latest',
  feedback: 'verdicts',
  guided: false,
};

/** Ways of searching that have a name; docs/search.md tells each in full. */
export const PRESETS: readonly Preset[] = [
  {
    id: 'repeated',
    name: 'Repeated sampling',
    line: 'Only first attempts, agents in turn; the best public score wins (best-of-N).',
    source: 'Brown et al. 2024, arXiv 2407.21787',
    method: baseline({ kind: 'repeated' }),
  },
  {
    id: 'refine',
    name: 'Sequential refinement',
    line: 'One first attempt, then each program refines the one before, agents in turn.',
    source: 'Madaan et al. 2023, arXiv 2303.17651',
    method: baseline({ kind: 'refine' }),
  },
  {
    id: 'mcts',
    name: 'MCTS (UCT)',
    line: 'Walks to the leaf with the best bound and expands it with two programs of every agent.',
    source: 'treequest, StandardMCTS',
    method: baseline({ kind: 'mcts', samples: 2, exploration: Math.SQRT2 }),
  },
  {
    id: 'best-first',
    name: 'Best-first',
    line: 'Always expands the best leaf so far with two programs of every agent.',
    source: 'treequest, BestFirstSearchAlgo',
    method: baseline({ kind: 'best-first', samples: 2 }),
  },
  {
    id: 'tot-bfs',
    name: 'Tree of Thoughts, breadth first',
    line: 'Level by level: the three best programs of the deepest level get five children each.',
    source: 'Yao et al. 2023, arXiv 2305.10601; treequest, TreeOfThoughtsBFSAlgo',
    method: baseline({ kind: 'tot-bfs', breadth: 3, size: 5 }),
  },
  {
    id: 'bandit-ucb',
    name: 'Bandit (UCB)',
    line: 'Only first attempts; the agent with the best upper confidence bound writes.',
    source: 'Auer et al. 2002; treequest, MultiArmedBanditUCBAlgo',
    method: baseline({ kind: 'bandit-ucb', exploration: Math.SQRT2 }),
  },
  {
    id: 'ab-mcts-a',
    name: 'AB-MCTS-A',
    line: 'Draws from beliefs whether to go wider or deeper, then which agent writes.',
    source: 'Inoue et al. 2025, arXiv 2503.04412; treequest, ABMCTSA',
    method: baseline(gaussian),
  },
  {
    id: 'ab-mcts-m',
    name: 'AB-MCTS-M',
    line: 'As AB-MCTS-A, with one mixed model over all subtrees of a node instead of a belief for each.',
    source: 'Inoue et al. 2025, arXiv 2503.04412; treequest, ABMCTSM',
    method: baseline({ kind: 'ab-mcts-m', selection: 'thompson', pruning: true }),
  },
  {
    id: 'mars2-t',
    name: 'MARS²-T',
    line: 'AB-MCTS-A with Beta beliefs, all-or-nothing scores and several agents on one tree.',
    source: 'MARTI-MARS², arXiv 2602.07848',
    method: mars2,
  },
  {
    id: 'mars2-t-plus',
    name: 'MARS²-T+',
    line: 'MARS²-T with error feedback, a nudge to go deeper, and a reward model between equals.',
    source: 'MARTI-MARS², arXiv 2602.07848',
    method: {
      ...mars2,
      strategy: { ...beta, depthGuidance: DEPTH_GUIDANCE },
      feedback: 'errors',
      guided: true,
    },
  },
  {
    id: 'marti-parity',
    name: 'MARTI parity',
    line: "The released code to the letter: Gaussian beliefs and MARTI's own prompts with their quirks.",
    source: 'TsinghuaC3I/MARTI, examples/mars2',
    method: { ...mars2, strategy: gaussian, feedback: 'marti' },
  },
];

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(Reflect.get(a, key), Reflect.get(b, key)));
}

export function methodOf(search: SearchOptions): SearchMethod {
  const { strategy, score, tie, feedback } = search;
  return { strategy, score, tie, feedback, guided: search.rewardModel !== null };
}

/** The preset that these options are; null where they are none of them, changed in some part. */
export function presetOf(search: SearchOptions): Preset | null {
  return PRESETS.find(({ method }) => same(method, methodOf(search))) ?? null;
}

/** What a way of searching is called: the preset's name, or what it is a variant of. */
export function searchName(search: SearchOptions): string {
  const preset = presetOf(search);
  if (preset !== null) return preset.name;
  const base = PRESETS.find(({ method }) => method.strategy.kind === search.strategy.kind);
  return `${base?.name ?? search.strategy.kind}, changed`;
}
