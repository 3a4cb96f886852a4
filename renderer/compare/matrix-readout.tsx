import { useState } from 'react';
import { plural } from '../widgets/index';
import type { NamedRow } from './figures-table';
import styles from './matrix.module.css';
import type { MatrixPosition } from './solve-geometry';
import { SolveMatrix } from './solve-matrix';
import { cellText, type MatrixProblem, pairedRow } from './solve-order';

/** Holds the hovered square, so that pointer moves re-render only this component. */
export function MatrixWithReadout(props: Omit<Parameters<typeof SolveMatrix>[0], 'onHover'>) {
  const [hovered, setHovered] = useState<MatrixPosition | null>(null);
  return (
    <>
      <SolveMatrix {...props} onHover={setHovered} />
      <MatrixReadout rows={props.rows} problems={props.problems} hovered={hovered} pair={props.pair} />
    </>
  );
}

/** Describes the hovered square, or shows the legend. */
function MatrixReadout(props: {
  readonly rows: readonly NamedRow[];
  readonly problems: readonly MatrixProblem[];
  readonly hovered: MatrixPosition | null;
  readonly pair: readonly [number, number];
}) {
  const { rows, problems, hovered, pair } = props;
  const problem = hovered === null ? undefined : problems[hovered.column];
  const row = hovered === null ? undefined : rows[hovered.row];
  if (hovered === null || problem === undefined || row === undefined) {
    return (
      <p className={styles.reading}>
        <Legend />
        <span>
          {plural(problems.length, 'problem')}. Click a square to open its tree
          {rows.length > 1 && ' next to the other configuration’s'}.
        </span>
      </p>
    );
  }
  const other = rows[pairedRow(hovered.row, pair[0], pair[1])];
  const secondRun = other === undefined || other.name === row.name ? '' : `, next to ${other.name}`;
  return (
    <p className={styles.reading}>
      <span>
        <b>{cellText(row.name, problem, problem.cells[hovered.row] ?? null)}</b>
        {problem.cells[hovered.row] !== null && `. Click to open its tree${secondRun}.`}
      </span>
    </p>
  );
}

function Legend() {
  return (
    <>
      <span className={styles.key}>
        <i data-kind="solved" /> solved
      </span>
      <span className={styles.key}>
        <i data-kind="seeds" /> solved by some seeds
      </span>
      <span className={styles.key}>
        <i data-kind="found" /> found, not chosen
      </span>
      <span className={styles.key}>
        <i data-kind="unsolved" /> not solved
      </span>
    </>
  );
}
