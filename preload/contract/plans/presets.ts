import type { SearchOptions, Strategy } from '../strategy';
import { DEPTH_GUIDANCE, STRATEGIES } from './strategy-fields';

/** Defaults of a search: plain feedback, no reward model, no early end. */
export const PLAIN_SEARCH = {
  order: 'asked',
  feedback: 'verdicts',
  rewardModel: null,
  stopWhenSolved: false,
  treeBudget: { tokens: null, seconds: null },
  grading: 'as-program',
} as const satisfies Partial<SearchOptions>;

/** A search method; its size (nodes, samples, batch) belongs to the study. */
export type SearchMethod = Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback'> & {
  /** It needs a reward model, which the user chooses; a run without one says so. */
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

/** The named search methods: every strategy with its defaults, and the papers' methods. docs/search.md describes each. */
export const PRESETS: readonly Preset[] = [
  ...Object.entries(STRATEGIES).map(([id, { name, line, source, defaults }]) => ({
    id,
    name,
    line,
    source,
    method: baseline(defaults),
  })),
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
    line: 'MARS²-T with error feedback, depth guidance, and a reward model that breaks ties.',
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

/** The papers' search at test time, MARS²-T, of this size; one expansion at a time unless `batch` says more. */
export function mars2Search({
  nodes,
  batch = 1,
  samplesPerAgent,
}: Pick<SearchOptions, 'nodes' | 'samplesPerAgent'> & Partial<Pick<SearchOptions, 'batch'>>): SearchOptions {
  const { guided: _guided, ...method } = mars2;
  return { ...PLAIN_SEARCH, ...method, nodes, batch, samplesPerAgent };
}

/** In how many values two settings differ; 0: they are equal, whatever the order of their fields. */
export function differenceCount(a: unknown, b: unknown): number {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? 0 : 1;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].reduce((sum, key) => sum + differenceCount(Reflect.get(a, key), Reflect.get(b, key)), 0);
}

export function methodOf(search: SearchOptions): SearchMethod {
  const { strategy, score, tie, feedback } = search;
  return { strategy, score, tie, feedback, guided: search.rewardModel !== null };
}

/** The preset with exactly these options; null where there is none. */
function presetOf(search: SearchOptions): Preset | null {
  return PRESETS.find(({ method }) => differenceCount(method, methodOf(search)) === 0) ?? null;
}

/** The preset of the same strategy that differs in the fewest values; null: none has this strategy. */
export function nearestPreset(search: SearchOptions): Preset | null {
  const distance = ({ method }: Preset): number => differenceCount(method, methodOf(search));
  const alike = PRESETS.filter(({ method }) => method.strategy.kind === search.strategy.kind);
  return alike.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** The name of a search method: its preset's, or the preset that it is a variant of. */
export function searchName(search: SearchOptions): string {
  const preset = presetOf(search);
  if (preset !== null) return preset.name;
  return `${nearestPreset(search)?.name ?? search.strategy.kind}, changed`;
}
