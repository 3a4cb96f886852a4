import { expect, test } from 'vitest';
import {
  matchingProblems,
  NO_PROBLEM_LIST_FILTER,
  type ProblemListFilter,
} from '../../../preload/contract/plans';

const problem = (id: string, changes: object = {}) => ({
  id,
  title: `Title of ${id}`,
  difficulty: null,
  platform: null,
  date: null,
  publicTests: 1,
  bytes: 10,
  ...changes,
});
const PROBLEMS = [
  problem('a', { difficulty: 'easy', date: '2025-01-04T10:00:00', platform: 'leetcode' }),
  problem('b', { difficulty: 'hard', date: '2025-01-31' }),
  problem('c', { publicTests: 0 }),
  problem('d', { date: '2024-12-01', platform: 'LeetCode' }),
];
const MARKS = [
  { problemId: 'b', reason: 'wrong', exclude: true },
  { problemId: 'd', reason: 'odd', exclude: false },
];

test.each<[string, Partial<ProblemListFilter>, string]>([
  ['nothing shows all', {}, 'abcd'],
  ['words of id, title and platform, in any case and order', { text: ' leetcode TITLE ' }, 'ad'],
  ['a difficulty', { difficulty: 'hard' }, 'b'],
  ['no difficulty', { difficulty: 'none' }, 'cd'],
  ['a month', { month: '2025-01' }, 'ab'],
  ['no date', { month: 'none' }, 'c'],
  ['those without public tests', { only: 'no-public-tests' }, 'c'],
  ['those with a mark', { only: 'marked' }, 'bd'],
  ['excluded ones', { only: 'excluded' }, 'b'],
  ['those without a mark', { only: 'unmarked' }, 'ac'],
  ['all of it together', { text: 'title', only: 'marked', month: '2024-12' }, 'd'],
])('filters by %s', (_, filter, ids) => {
  const shown = matchingProblems(PROBLEMS, MARKS, { ...NO_PROBLEM_LIST_FILTER, ...filter });
  expect(shown.map(({ id }) => id).join('')).toBe(ids);
});
