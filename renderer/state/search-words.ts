import type { DepthGuidance, SearchOptions } from '../../preload/contract/strategy';
import type { Study } from '../../preload/contract/study';
import { assertNever } from './assert-never';

type Method = Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback'> & { readonly guided: boolean };

/** What a way of searching is made of, part by part, in words that also say what is not there. */
function methodParts({ strategy, score, tie, feedback, guided }: Method): ReadonlyMap<string, string> {
  return new Map([
    ...strategyParts(strategy),
    ['feedback', FEEDBACK_WORDS[feedback]],
    ['reward', guided ? 'a reward model' : 'no reward model'],
    ['score', score === 'all' ? 'all-or-nothing score' : 'score by share of tests'],
    ['tie', `the ${tie} of equals`],
  ]);
}

const FEEDBACK_WORDS: Readonly<Record<SearchOptions['feedback'], string>> = {
  verdicts: 'verdicts told',
  errors: 'errors told',
  marti: "MARTI's prompts",
};

function strategyParts(strategy: SearchOptions['strategy']): readonly (readonly [string, string])[] {
  switch (strategy.kind) {
    case 'repeated':
    case 'refine':
      return [];
    case 'mcts':
      return [
        ['samples', `${strategy.samples} programs a leaf and agent`],
        ['exploration', `exploration ${strategy.exploration.toFixed(2)}`],
      ];
    case 'best-first':
      return [['samples', `${strategy.samples} programs a leaf and agent`]];
    case 'tot-bfs':
      return [
        ['breadth', `breadth ${strategy.breadth}`],
        ['size', `${strategy.size} children a leaf`],
      ];
    case 'bandit-ucb':
      return [['exploration', `exploration ${strategy.exploration.toFixed(2)}`]];
    case 'ab-mcts-a':
      return [
        ['beliefs', strategy.beliefs === 'beta' ? 'Beta beliefs' : 'Gaussian beliefs'],
        ['selection', SELECTION_WORDS[strategy.selection]],
        ['depth', depthWords(strategy.depthGuidance)],
      ];
    case 'ab-mcts-m':
      return [
        ['selection', SELECTION_WORDS[strategy.selection]],
        ['pruning', strategy.pruning ? 'pruning' : 'no pruning'],
      ];
    default:
      return assertNever(strategy);
  }
}

const SELECTION_WORDS = {
  thompson: 'agents by draws',
  ucb: 'agents by bounds',
  stack: 'agent before node',
} as const;

function depthWords(guidance: DepthGuidance | null): string {
  if (guidance === null) return 'no depth guidance';
  const { start, slope, floor, counter } = guidance;
  return `depth guidance ${start} − ${slope}·d ≥ ${floor}, by ${counter}`;
}

/** More parts than this that differ are another way of searching, not a variant. */
const MOST_CHANGED = 2;

/**
 * What a way of searching is called: the preset's name, or the nearest preset with what is not as in it ("MARS²-T+ but
 * no reward model"), so that the rows of an ablation can be told apart. Far from all of them it is `otherwise`.
 */
export function methodTitle(
  search: SearchOptions,
  presets: readonly { readonly name: string; readonly method: Method }[],
  otherwise: string,
): string {
  const mine = methodParts({ ...search, guided: search.rewardModel !== null });
  let best: { readonly name: string; readonly changed: readonly string[] } | null = null;
  for (const { name, method } of presets) {
    if (method.strategy.kind !== search.strategy.kind) continue;
    const theirs = methodParts(method);
    const changed = [...mine].flatMap(([part, words]) => (theirs.get(part) === words ? [] : [words]));
    if (changed.length === 0) return name;
    if (best === null || changed.length < best.changed.length) best = { name, changed };
  }
  return best === null || best.changed.length > MOST_CHANGED
    ? otherwise
    : `${best.name} but ${best.changed.join(', ')}`;
}

/**
 * How a tree was searched, in a few words each, what is usual left out: ["MARS²-T", "N = 60", "at most 20,000 tokens
 * a tree"]. `name` is the strategy's (plans: `searchName`).
 */
export function searchFacts(search: SearchOptions, name: string): readonly string[] {
  const { nodes, batch, order, treeBudget, stopWhenSolved, rewardModel, grading } = search;
  return [
    name,
    `N = ${nodes.toLocaleString('en')}`,
    ...(batch > 1 ? [`${batch} at once${order === 'arrival' ? ', as they come' : ''}`] : []),
    ...(treeBudget.tokens === null ? [] : [`≤ ${treeBudget.tokens.toLocaleString('en')} tokens a tree`]),
    ...(treeBudget.seconds === null ? [] : [`≤ ${treeBudget.seconds.toLocaleString('en')} s a tree`]),
    ...(stopWhenSolved ? ['stops when solved'] : []),
    ...(rewardModel === null ? [] : [rewardWords(rewardModel)]),
    ...(grading === 'as-published' ? ['graded as published'] : []),
  ];
}

function rewardWords({ source, use }: NonNullable<SearchOptions['rewardModel']>): string {
  const who = source.kind === 'pocket' ? 'pocket reward model' : 'reward model';
  return use === 'score' ? `${who} in the score` : who;
}

/**
 * What the header of a study says of its searches: the facts that all configurations share, and whether they differ
 * in others (an ablation), which their rows then tell.
 */
export function sharedSearchFacts(
  study: Study,
  nameOf: (search: SearchOptions) => string,
): { readonly shared: readonly string[]; readonly differ: boolean } {
  const all = study.runs.map(({ search }) => searchFacts(search, nameOf(search)));
  const [first = []] = all;
  const shared = first.filter((fact) => all.every((facts) => facts.includes(fact)));
  return { shared, differ: all.some((facts) => facts.length > shared.length) };
}

/** What is said of one configuration's search beside its name: only what is not the same for all. */
export function ownSearchFacts(
  study: Study,
  configuration: string,
  nameOf: (search: SearchOptions) => string,
): readonly string[] {
  const { shared } = sharedSearchFacts(study, nameOf);
  const run = study.runs.find((one) => one.configuration === configuration);
  if (run === undefined) return [];
  // A row that is called after the way it searches need not say it twice.
  const told = (fact: string): boolean => configuration === fact || configuration.endsWith(`, ${fact}`);
  return searchFacts(run.search, nameOf(run.search)).filter((fact) => !shared.includes(fact) && !told(fact));
}

export type Reading = SearchOptions['grading'];

/** The reading that a study was not graded by; null where its runs were graded by both. */
export function otherReading(study: Study): Reading | null {
  const [reading, ...more] = new Set(study.runs.map(({ search }) => search.grading));
  if (reading === undefined || more.length > 0) return null;
  return reading === 'as-program' ? 'as-published' : 'as-program';
}
