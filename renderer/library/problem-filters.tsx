import { useMemo } from 'react';
import {
  matchingProblems,
  monthOf,
  NO_PROBLEM_LIST_FILTER,
  PROBLEM_KINDS,
  type ProblemKind,
  type ProblemListFilter,
} from '../../preload/contract/plans/index';
import type { ProblemMark, ProblemOutline } from '../../preload/contract/problem';
import { count, FilterBar, FilterSelect, FilterText } from '../widgets/index';

const KIND_LABELS: Readonly<Record<ProblemKind, string>> = {
  all: 'All problems',
  'no-public-tests': 'Without public tests',
  marked: 'Marked',
  excluded: 'Excluded',
  unmarked: 'Not marked',
};

const DIFFICULTIES = ['easy', 'medium', 'hard', 'none'] as const;

/** Each filter is offered where it divides the problems. */
export function ProblemFilters(props: {
  readonly problems: readonly ProblemOutline[];
  readonly marks: readonly ProblemMark[];
  readonly filter: ProblemListFilter;
  readonly onFilter: (filter: ProblemListFilter) => void;
}) {
  const { problems, marks, filter, onFilter } = props;
  const difficulties = useMemo(() => {
    const present = new Set(problems.map(({ difficulty }) => difficulty ?? 'none'));
    return DIFFICULTIES.filter((difficulty) => present.has(difficulty));
  }, [problems]);
  const months = useMemo(() => [...new Set(problems.map(monthOf))].sort().reverse(), [problems]);
  const kinds = useMemo(
    () =>
      PROBLEM_KINDS.map((only) => ({
        value: only,
        label: `${KIND_LABELS[only]} ${count(matchingProblems(problems, marks, { ...NO_PROBLEM_LIST_FILTER, only }).length)}`,
      })),
    [problems, marks],
  );
  return (
    <FilterBar>
      <FilterText
        where="Id, title or platform"
        value={filter.text}
        onChange={(text) => onFilter({ ...filter, text })}
      />
      {difficulties.length > 1 && (
        <FilterSelect
          label="Difficulty"
          width={125}
          value={filter.difficulty ?? 'any'}
          options={[
            { value: 'any' as const, label: 'Any difficulty' },
            ...difficulties.map((value) => ({ value, label: value === 'none' ? 'No difficulty' : value })),
          ]}
          onChange={(value) => onFilter({ ...filter, difficulty: value === 'any' ? null : value })}
        />
      )}
      <FilterSelect
        label="Kind of problem"
        width={190}
        value={filter.only}
        options={kinds}
        onChange={(only) => onFilter({ ...filter, only })}
      />
      {months.length > 1 && (
        <FilterSelect
          label="Month"
          width={110}
          value={filter.month ?? 'any'}
          options={[
            { value: 'any', label: 'Any month' },
            ...months.map((month) => ({ value: month, label: month === 'none' ? 'No date' : month })),
          ]}
          onChange={(value) => onFilter({ ...filter, month: value === 'any' ? null : value })}
        />
      )}
    </FilterBar>
  );
}
