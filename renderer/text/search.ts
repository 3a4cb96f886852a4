import { tieRuleText } from '../../preload/contract/plans/index';
import type { SearchOptions } from '../../preload/contract/strategy';
import type { Study } from '../../preload/contract/study';

/** Why a node is the answer and not another: how the search chooses among nodes that look alike. */
export function answerRuleText(rule: Pick<SearchOptions, 'tie' | 'rewardModel'>): string {
  return `This node is the answer: no node has a better score, and ${tieRuleText(rule)}.`;
}

/**
 * How a tree was searched, in a few words each, defaults left out: ["MARS²-T", "N = 60", "≤ 20,000 tokens per tree"].
 * `name` is the strategy's (plans: `methodTitle`).
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
