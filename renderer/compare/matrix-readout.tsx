import { useState } from 'react';
import { plural } from '../widgets/index';
import type { NamedRow } from './figures-table';
import styles from './matrix.module.css';
import type { MatrixPosition } from './solve-geometry';
import { SolveMatrix } from './solve-matrix';
import { type MatrixProblem, pairedRow, squareWords } from './solve-order';

/** What is looked at changes with every move of the pointer: only this is drawn again by it. */
export function MatrixWithReadout(props: Omit<Parameters<typeof SolveMatrix>[0], 'onHover'>) {
  const [hovered, setHovered] = useState<MatrixPosition | null>(null);
  return (
    <>
      <SolveMatrix {...props} onHover={setHovered} />
      <MatrixReadout rows={props.rows} problems={props.problems} hovered={hovered} pair={props.pair} />
    </>
  );
}

/** What is under the pointer, or what the squares mean. */
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
          {plural(problems.length, 'problem')}. A press on a square opens its tree
          {rows.length > 1 && ' beside the other configuration’s'}.
        </span>
      </p>
    );
  }
  const other = rows[pairedRow(hovered.row, pair[0], pair[1])];
  const beside = other === undefined || other.name === row.name ? '' : `, beside that of ${other.name}`;
  return (
    <p className={styles.reading}>
      <span>
        <b>{squareWords(row.name, problem, problem.cells[hovered.row] ?? null)}</b>
        {problem.cells[hovered.row] !== null && `. Press for its tree${beside}.`}
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
        <i data-kind="seeds" /> by some seeds
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
