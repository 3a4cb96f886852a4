import type { SearchOptions } from '../strategy';

/** How a search chooses its answer among nodes that look alike: "of several with the same score the search chooses the latest". */
export function tieRuleText({ tie, rewardModel }: Pick<SearchOptions, 'tie' | 'rewardModel'>): string {
  const byReward = rewardModel?.use === 'choice' ? 'the one with the best reward, of equal rewards ' : '';
  return `of several with the same score the search chooses ${byReward}the ${tie}`;
}

type AnswerOptions = Pick<SearchOptions, 'score' | 'tie' | 'rewardModel'>;

/** Which program is the answer, for a reader of a file: "of the programs that pass all public tests, or of all if none does, the latest". */
export function answerText({ score, tie, rewardModel }: AnswerOptions): string {
  if (rewardModel?.use === 'score') {
    return `of the programs with the best score, which is of public tests and reward, the ${tie}`;
  }
  const most = score === 'all' ? 'all public tests, or of all if none does' : 'the most public tests';
  const byReward = rewardModel === null ? '' : 'one with the best reward, of equal ones the ';
  return `of the programs that pass ${most}, the ${byReward}${tie}`;
}
