import { IconFlag } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { monthOf } from '../../preload/contract/plans/index';
import type { Benchmark, ProblemMark, ProblemOutline } from '../../preload/contract/problem';
import { useWorkbench } from '../state/index';
import { type Column, type ContextAction, copyAction, count, DataTable } from '../widgets/index';
import { MarkDialog } from './mark-dialog';

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
  const { libraryCommands } = useWorkbench();
  const [marking, setMarking] = useState<Row | null>(null);
  const rowActions = (row: Row): readonly ContextAction[] => [
    { label: 'Open', run: () => onChoose(row.id) },
    { label: row.mark === undefined ? 'Mark…' : 'Change the mark…', run: () => setMarking(row) },
    ...(row.mark === undefined
      ? []
      : [
          {
            label: 'Remove the mark',
            run: () => void libraryCommands.markMany(benchmark, [{ problemId: row.id, mark: null }]),
          },
        ]),
    copyAction('Copy id', row.id),
  ];
  return (
    <>
      <DataTable
        label={`Problems of ${benchmark.name}`}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        rowLabel={({ id, mark }) => (mark === undefined ? id : `${id}, marked`)}
        chosen={chosen}
        onChoose={({ id }) => onChoose(id)}
        rowActions={rowActions}
      />
      {marking !== null && (
        <MarkDialog
          benchmark={benchmark}
          title={marking.mark === undefined ? `Mark ${marking.id}` : `The mark of ${marking.id}`}
          problemIds={[marking.id]}
          replaced={0}
          before={marking.mark ?? {}}
          onClose={() => setMarking(null)}
        />
      )}
    </>
  );
}
