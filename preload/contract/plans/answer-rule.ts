import type { SearchOptions } from '../strategy';

/** How a search chooses its answer among nodes that look alike: "of several with the same score the search chooses the latest". */
export function tieRuleText({ tie, rewardModel }: Pick<SearchOptions, 'tie' | 'rewardModel'>): string {
  const byReward = rewardModel?.use === 'choice' ? 'the one with the best reward, of equal rewards ' : '';
  return `of several with the same score the search chooses ${byReward}the ${tie}`;
}
