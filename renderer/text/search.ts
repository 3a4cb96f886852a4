import { strategyFields, tieRuleText } from '../../preload/contract/plans/index';
import type { SearchOptions } from '../../preload/contract/strategy';
import type { Study } from '../../preload/contract/study';

type Method = Pick<SearchOptions, 'strategy' | 'score' | 'tie' | 'feedback'> & { readonly guided: boolean };

/** The parts of a search method, each also named where it is off. */
function methodParts({ strategy, score, tie, feedback, guided }: Method): ReadonlyMap<string, string> {
  return new Map([
    ...strategyFields(strategy).map(({ key, text }) => [key, text] as const),
    ['feedback', FEEDBACK_TEXT[feedback]],
    ['reward', guided ? 'a reward model' : 'no reward model'],
    ['score', score === 'all' ? 'all-or-nothing score' : 'partial credit'],
    ['tie', `${tie} on ties`],
  ]);
}

const FEEDBACK_TEXT: Readonly<Record<SearchOptions['feedback'], string>> = {
  verdicts: 'verdict feedback',
  errors: 'error feedback',
  marti: "MARTI's prompts",
};

/** Why a node is the answer and not another: how the search chooses among nodes that look alike. */
export function answerRuleText(rule: Pick<SearchOptions, 'tie' | 'rewardModel'>): string {
  return `This node is the answer: no node has a better score, and ${tieRuleText(rule)}.`;
}

/** With more differing parts than this it is another method, not a variant. */
const MAX_CHANGED = 2;

/**
 * The name of a search method: that of its preset, or the nearest preset with what differs ("MARS²-T+, no reward
 * model"), so that the rows of an ablation have different names. Far from all presets it is `fallback`.
 */
export function methodTitle(
  search: SearchOptions,
  presets: readonly { readonly name: string; readonly method: Method }[],
  fallback: string,
): string {
  const own = methodParts({ ...search, guided: search.rewardModel !== null });
  let best: { readonly name: string; readonly changed: readonly string[] } | null = null;
  for (const { name, method } of presets) {
    if (method.strategy.kind !== search.strategy.kind) continue;
    const preset = methodParts(method);
    const changed = [...own].flatMap(([part, values]) => (preset.get(part) === values ? [] : [values]));
    if (changed.length === 0) return name;
    if (best === null || changed.length < best.changed.length) best = { name, changed };
  }
  return best === null || best.changed.length > MAX_CHANGED
    ? fallback
    : `${best.name}, ${best.changed.join(', ')}`;
}

/**
 * How a tree was searched, in a few words each, defaults left out: ["MARS²-T", "N = 60", "≤ 20,000 tokens per tree"].
 * `name` is the strategy's (plans: `searchName`).
 */
export function searchFacts(search: SearchOptions, name: string): readonly string[] {
  const { nodes, batch, order, treeBudget, stopWhenSolved, rewardModel, grading } = search;
  return [
    name,
    `N = ${nodes.toLocaleString('en')}`,
    ...(batch > 1 ? [`${batch} at once${order === 'arrival' ? ', in order of arrival' : ''}`] : []),
    ...(treeBudget.tokens === null ? [] : [`≤ ${treeBudget.tokens.toLocaleString('en')} tokens per tree`]),
    ...(treeBudget.seconds === null ? [] : [`≤ ${treeBudget.seconds.toLocaleString('en')} s per tree`]),
    ...(stopWhenSolved ? ['stops when solved'] : []),
    ...(rewardModel === null ? [] : [rewardText(rewardModel)]),
    ...(grading === 'as-published' ? ['graded as published'] : []),
  ];
}

function rewardText({ source, use }: NonNullable<SearchOptions['rewardModel']>): string {
  const modelName = source.kind === 'pocket' ? 'pocket reward model' : 'reward model';
  return use === 'score' ? `${modelName} in the score` : modelName;
}

/** The search facts that all configurations of a study share, and whether they differ in others (an ablation). */
export function sharedSearchFacts(
  study: Study,
  nameOf: (search: SearchOptions) => string,
): { readonly shared: readonly string[]; readonly differ: boolean } {
  const all = study.runs.map(({ search }) => searchFacts(search, nameOf(search)));
  const [first = []] = all;
  const shared = first.filter((fact) => all.every((facts) => facts.includes(fact)));
  return { shared, differ: all.some((facts) => facts.length > shared.length) };
}

/** The search facts of one configuration that are not the same for all. */
export function ownSearchFacts(
  study: Study,
  configuration: string,
  nameOf: (search: SearchOptions) => string,
): readonly string[] {
  const { shared } = sharedSearchFacts(study, nameOf);
  const run = study.runs.find((run) => run.configuration === configuration);
  if (run === undefined) return [];
  // A row that is named after its method need not repeat it.
  const isInName = (fact: string): boolean => configuration === fact || configuration.endsWith(`, ${fact}`);
  return searchFacts(run.search, nameOf(run.search)).filter(
    (fact) => !shared.includes(fact) && !isInName(fact),
  );
}

export type GradingMode = SearchOptions['grading'];

/** The grading mode that a study did not use; null where its runs used both. */
export function otherGradingMode(study: Study): GradingMode | null {
  const [mode, ...more] = new Set(study.runs.map(({ search }) => search.grading));
  if (mode === undefined || more.length > 0) return null;
  return mode === 'as-program' ? 'as-published' : 'as-program';
}
