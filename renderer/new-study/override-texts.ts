import { STRATEGIES, strategyFields } from '../../preload/contract/plans/index';
import type { SearchChange } from '../../preload/contract/strategy';
import { FEEDBACK, ORDERS, SCORES, SEARCH_LABELS, TIES } from '../text/search-settings';
import { count } from '../widgets/index';

/** The search settings of a copied study's row that differ from the form's, e.g. "Nodes per tree (N) 16". */
export function overrideTexts(overrides: SearchChange): readonly string[] {
  const { strategy, nodes, batch, order, score, tie, feedback, rewardModel, stopWhenSolved, treeBudget } =
    overrides;
  const chosen = (label: string, choices: readonly Choice[], value: string | undefined): string[] =>
    value === undefined ? [] : [`${label}: ${choices.find((one) => one.value === value)?.label ?? value}`];
  return [
    ...(strategy === undefined
      ? []
      : [STRATEGIES[strategy.kind].name, ...strategyFields(strategy).map(({ text }) => text)]),
    ...(nodes === undefined ? [] : [`${SEARCH_LABELS.nodes} ${count(nodes)}`]),
    ...(batch === undefined ? [] : [`${SEARCH_LABELS.batch} ${count(batch)}`]),
    ...chosen(SEARCH_LABELS.order, ORDERS, order),
    ...chosen(SEARCH_LABELS.score, SCORES, score),
    ...chosen(SEARCH_LABELS.tie, TIES, tie),
    ...chosen(SEARCH_LABELS.feedback, FEEDBACK, feedback),
    ...(rewardModel === undefined ? [] : [rewardModel === null ? 'no reward model' : 'a reward model']),
    ...(stopWhenSolved === undefined ? [] : [stopWhenSolved ? 'ends a solved tree' : 'no early end']),
    ...(treeBudget === undefined
      ? []
      : [`${limit(treeBudget.tokens, 'tokens')} and ${limit(treeBudget.seconds, 'seconds')} per tree`]),
  ];
}

type Choice = { readonly value: string; readonly label: string };

function limit(value: number | null, unit: string): string {
  return value === null ? `no limit of ${unit}` : `at most ${count(value)} ${unit}`;
}
