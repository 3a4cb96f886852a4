import { IconFlag } from '@tabler/icons-react';
import { useMemo } from 'react';
import { monthOf } from '../../preload/contract/plans/index';
import type { Benchmark, ProblemMark, ProblemOutline } from '../../preload/contract/problem';
import { type Column, count, DataTable } from '../widgets/index';

type Row = ProblemOutline & { readonly mark: ProblemMark | undefined };

const DIFFICULTIES = ['easy', 'medium', 'hard'];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'mark',
    label: '',
    name: 'Mark',
    track: '16px',
    cell: ({ mark }) =>
      mark === undefined ? null : (
        <IconFlag
          size={13}
          display="block"
          role="img"
          aria-label={`Marked: ${mark.reason}`}
          color={mark.exclude ? 'var(--bad)' : 'var(--fair)'}
        />
      ),
    isEmpty: ({ mark }) => mark === undefined,
    sortValue: ({ mark }) => (mark === undefined ? 1 : 0),
  },
  { id: 'id', label: 'Problem', track: 'minmax(90px, 1fr)', cell: ({ id }) => id, sortValue: ({ id }) => id },
  {
    id: 'title',
    label: 'Title',
    track: 'minmax(100px, 2fr)',
    cell: ({ title }) => <span title={title}>{title}</span>,
    isEmpty: ({ id, title }) => title === '' || title === id,
    sortValue: ({ title }) => title,
  },
  {
    id: 'difficulty',
    label: 'Difficulty',
    track: '62px',
    cell: ({ difficulty }) => difficulty ?? '–',
    isEmpty: ({ difficulty }) => difficulty === null,
    sortValue: ({ difficulty }) => DIFFICULTIES.indexOf(difficulty ?? ''),
  },
  {
    id: 'month',
    label: 'Month',
    from: 500,
    track: '52px',
    cell: ({ date }) => (date === null ? '–' : date.slice(0, 7)),
    isEmpty: ({ date }) => date === null,
    sortValue: monthOf,
  },
  {
    id: 'tests',
    label: 'Public tests',
    from: 440,
    track: '76px',
    right: true,
    cell: ({ publicTests }) => count(publicTests),
    sortValue: ({ publicTests }) => publicTests,
  },
];

/** One row per problem; the arrow keys choose. */
export function ProblemTable(props: {
  readonly benchmark: Benchmark;
  readonly problems: readonly ProblemOutline[];
  readonly chosen: string | null;
  readonly onChoose: (problemId: string) => void;
}) {
  const { benchmark, problems, chosen, onChoose } = props;
  const rows = useMemo(() => {
    const marks = new Map(benchmark.marks.map((mark) => [mark.problemId, mark]));
    return problems.map((problem): Row => ({ ...problem, mark: marks.get(problem.id) }));
  }, [benchmark.marks, problems]);
  return (
    <DataTable
      label={`Problems of ${benchmark.name}`}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      rowLabel={({ id, mark }) => (mark === undefined ? id : `${id}, marked`)}
      chosen={chosen}
      onChoose={({ id }) => onChoose(id)}
    />
  );
}
