import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { runRoute, useStoredState, useWorkbench } from '../state/index';
import { Section, Select } from '../widgets/index';
import type { NamedRow } from './figures-table';
import { MatrixWithReadout } from './matrix-readout';
import type { MatrixPosition } from './solve-geometry';
import {
  pairCounts,
  pairedRow,
  SOLVE_PARTS,
  type SolveOrder,
  type SolvePart,
  shownProblems,
} from './solve-order';
import { PairLine } from './solve-pair';
import tables from './tables.module.css';

/** The matrix of solved problems; a square opens the trees of both configurations. */
export function SolveSection(props: {
  readonly comparison: RunComparison;
  readonly rows: readonly NamedRow[];
}) {
  const { comparison, rows } = props;
  const { solves } = comparison;
  const { location } = useWorkbench();
  // The last row is usually the team, the first its baseline.
  const [rememberedFirst, setFirst] = useStoredState<string>('solves.first', '', (name) => name);
  const [rememberedSecond, setSecond] = useStoredState<string>('solves.second', '', (name) => name);
  const [part, setPart] = useStoredState<SolvePart>('solves.part', 'every', partNamed);
  const [order, setOrder] = useStoredState<SolveOrder>('solves.order', 'solved', orderNamed);
  const rowIndexOf = (name: string, otherwise: number): number => {
    const at = rows.findIndex((row) => row.name === name);
    return at === -1 ? otherwise : at;
  };
  const first = rowIndexOf(rememberedFirst, rows.length - 1);
  const second = rowIndexOf(rememberedSecond, first === 0 ? rows.length - 1 : 0);
  const problems = useMemo(
    () => shownProblems(solves, { part, order, first, second }),
    [solves, part, order, first, second],
  );
  const notes = useMemo(
    () => rows.map((_, at) => ((solves.byOneAlone[at] ?? 0) > 0 ? `${solves.byOneAlone[at]} alone` : '')),
    [rows, solves],
  );
  const pair = useMemo<readonly [number, number]>(() => [first, second], [first, second]);
  if (solves.problems.length === 0) {
    return (
      <Section title="Who solves what">
        <p className={tables.soft}>No problems graded yet.</p>
      </Section>
    );
  }
  const open = ({ row, column }: MatrixPosition): void => {
    const problem = problems[column];
    const here = problem?.cells[row]?.runRef;
    if (problem === undefined || here === undefined) return;
    const other = problem.cells[pairedRow(row, first, second)]?.runRef;
    location.go({
      ...runRoute(here.studyId, here.runId, problem.problemId),
      ...(other === undefined || other.runId === here.runId ? {} : { second: other.runId }),
    });
  };
  const names = rows.map(({ name }) => name);
  return (
    <Section
      title="Who solves what"
      aside={
        <>
          <SegmentedControl
            aria-label="Problems"
            value={WHOLE_PARTS.includes(part) ? part : ''}
            onChange={(value) => setPart(WHOLE_PARTS.find((wholePart) => wholePart === value) ?? 'every')}
            data={[
              { value: 'every', label: `All ${solves.problems.length}` },
              { value: 'all', label: `Solved by all ${solves.byAll}` },
              { value: 'one', label: `By only one ${solves.byOneAlone.reduce((sum, n) => sum + n, 0)}` },
              { value: 'none', label: `By none ${solves.byNone}` },
            ]}
          />
          <Select
            aria-label="Order of the problems"
            w={180}
            allowDeselect={false}
            value={order}
            data={ORDERS}
            onChange={(value) => setOrder(orderNamed(value) ?? 'solved')}
          />
        </>
      }
    >
      {rows.length > 1 && (
        <PairLine
          names={names}
          first={first}
          second={second}
          counts={pairCounts(solves, first, second)}
          part={part}
          onPart={setPart}
          onFirst={(name) => setFirst(name ?? '')}
          onSecond={(name) => setSecond(name ?? '')}
        />
      )}
      <MatrixWithReadout
        key={part + order}
        rows={rows}
        problems={problems}
        notes={notes}
        pair={pair}
        onOpen={open}
      />
    </Section>
  );
}

const WHOLE_PARTS: readonly SolvePart[] = ['every', 'all', 'one', 'none'];

const ORDERS: readonly { readonly value: SolveOrder; readonly label: string }[] = [
  { value: 'solved', label: 'Most solved first' },
  { value: 'difference', label: 'Largest gain first' },
  { value: 'given', label: "The benchmark's order" },
];

function orderNamed(name: string | null): SolveOrder | null {
  return ORDERS.find(({ value }) => value === name)?.value ?? null;
}

function partNamed(name: string): SolvePart | null {
  return SOLVE_PARTS.find((part) => part === name) ?? null;
}
