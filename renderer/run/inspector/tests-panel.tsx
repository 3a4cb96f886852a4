import { Anchor } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useId, useState } from 'react';
import type { NodeDetail } from '../../../preload/contract';
import { verdictStyle } from '../../theme/index';
import classes from './node-inspector.module.css';
import { PROBLEM_MISSING, type TestRow, testRows, testsSummary } from './test-rows';
import styles from './tests-panel.module.css';
import { ValueBlock } from './value-block';
import { VerdictText } from './verdict-strip';

/** Public and private tests, each in its own table. `onShowPrivate`: a replay hides the results of the private tests. */
export function TestsPanel(props: { detail: NodeDetail; onShowPrivate: (() => void) | null }) {
  const { detail, onShowPrivate } = props;
  if (detail.problemIsMissing === true) return <p className={classes.note}>{PROBLEM_MISSING}</p>;
  return (
    <div className={styles.tests}>
      <TestTable
        title="Public tests"
        note="Seen by the search"
        rows={testRows(detail.publicTests)}
        none="This problem has no public tests."
      />
      <TestTable
        title="Private tests"
        note={
          detail.firstVerdict === undefined
            ? 'For the final grade only'
            : `For the final grade only, as re-graded; first graded: ${verdictStyle(detail.firstVerdict).label.toLowerCase()}`
        }
        rows={testRows(detail.privateTests)}
        none="This problem has no private tests."
        onShow={onShowPrivate}
      />
    </div>
  );
}

function TestTable(props: {
  title: string;
  note: string;
  rows: readonly TestRow[];
  none: string;
  /** Shows the results; null: they are not hidden. */
  onShow?: (() => void) | null;
}) {
  const { title, rows, onShow = null } = props;
  const heading = useId();
  // Opens the first failure.
  const firstFailure =
    rows.find((row) => row.result !== null && row.result.verdict !== 'passed')?.number ?? null;
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const isOpen = (number: number): boolean => toggled.has(number) !== (number === firstFailure);
  const toggle = (number: number): void => {
    const next = new Set(toggled);
    if (!next.delete(number)) next.add(number);
    setToggled(next);
  };
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className={styles.groupHead}>
        {title}{' '}
        <span className={styles.groupCount}>
          {onShow === null || rows.length === 0 ? testsSummary(rows) : 'hidden'}
        </span>
        <span className={styles.groupNote}>{props.note}</span>
      </h3>
      {rows.length === 0 ? (
        <p className={classes.note}>{props.none}</p>
      ) : onShow !== null ? (
        <p className={classes.note}>
          The replay hides these results, because the search did not know them.{' '}
          <Anchor component="button" type="button" fz="inherit" onClick={onShow}>
            Show them
          </Anchor>
        </p>
      ) : (
        <table className={styles.testTable} aria-labelledby={heading}>
          <thead>
            <tr>
              <th className={styles.numberColumn}>#</th>
              <th className={styles.verdictColumn}>Verdict</th>
              <th>{rows[0]?.input.name}</th>
              <th>Expected</th>
              <th>Actual</th>
              <th className={styles.timeColumn}>CPU ms</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.number} row={row} open={isOpen(row.number)} onToggle={() => toggle(row.number)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ row, open, onToggle }: { row: TestRow; open: boolean; onToggle: () => void }) {
  const blocks = useId();
  const verdict = row.result?.verdict ?? null;
  return (
    <Fragment>
      {/* The button handles the keyboard; the whole row is a larger target for the pointer. */}
      <tr className={styles.testRow} data-open={open || undefined} onClick={onToggle}>
        <td className={styles.numberColumn}>
          <button
            type="button"
            className={styles.disclosure}
            aria-expanded={open}
            aria-controls={blocks}
            aria-label={`Test ${row.number}`}
          >
            {open ? <IconChevronDown size={12} /> : <IconChevronRight size={12} />}
            {row.number}
          </button>
        </td>
        <td className={styles.verdictColumn}>
          <VerdictText verdict={verdict} />
        </td>
        <Cell text={row.input.text} />
        <Cell text={row.reference === null ? row.expected : 'reference'} />
        <Cell text={row.actual ?? lastLine(row.error)} />
        <td className={styles.timeColumn}>{row.result === null ? '' : row.result.cpuMs.toFixed(0)}</td>
      </tr>
      {open && (
        <tr id={blocks}>
          <td colSpan={6} className={styles.blocks}>
            <ValueBlock name={row.input.name} value={row.input.text} marks={row.expected !== null} />
            {row.reference !== null && <Reference {...row.reference} />}
            {row.expected !== null && <ValueBlock name="Expected" value={row.expected} marks />}
            {row.actual !== null && (
              <ValueBlock
                name="Actual"
                value={row.actual}
                marks
                {...(verdict === 'passed' ? {} : { tone: 'bad' })}
              />
            )}
            {row.error !== null && <ValueBlock name="Error" value={row.error} marks={false} tone="bad" />}
            {row.result === null && <p className={classes.note}>Not run.</p>}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** The reference program, collapsed by default. */
function Reference(props: { program: string; closeness: string }) {
  return (
    <details className={styles.reference}>
      <summary>Expected: {props.closeness}</summary>
      <ValueBlock name="Reference program" value={props.program} marks={false} />
    </details>
  );
}

/** Characters of a value in a table cell: more than fit. */
const CELL_CHARS = 60;

function Cell({ text }: { text: string | null }) {
  return (
    <td className={styles.valueCell}>
      {text === null ? '' : text.slice(0, CELL_CHARS).trimEnd().replaceAll('\n', ' ↵ ')}
    </td>
  );
}

/** The last line of a traceback has the error. */
function lastLine(error: string | null): string | null {
  return error === null ? null : (error.trimEnd().split('\n').at(-1) ?? null);
}
