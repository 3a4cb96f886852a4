import { Tooltip, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo } from 'react';
import type { MetricCell, SeedSpread } from '../../../preload/contract/analysis';
import { count, percent, percentRange, plural, spreadRange } from '../../widgets/format';
import { WideTable } from '../../widgets/index';
import styles from './estimate-table.module.css';

export type EstimateCell = {
  /** Shares in [0, 1]. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Sample size behind the number, in words. */
  readonly basis: string;
  /** Letters of the groups it belongs to; empty for none. */
  readonly letters: string;
  /** Of several seeds. */
  readonly seedSpread?: SeedSpread | undefined;
};
export type EstimateRow = {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly note: string;
  /** A second line below the name; empty for none. */
  readonly detail?: string;
  /** A problem of the whole row. */
  readonly warning?: string | null;
  /** One for each column; null where there is nothing yet. */
  readonly cells: readonly (EstimateCell | null)[];
  /** One for each plain column; `hint`: its detail. */
  readonly facts: readonly (string | { readonly text: string; readonly hint: string })[];
};

export type EstimateColumns = readonly {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}[];
export type EstimateFacts = readonly { readonly label: string; readonly hint: string }[];

/** Rates with intervals: the value, its interval in a lighter tone, and a bar from 0 to 100 %. */
export function EstimateTable(props: {
  readonly label: string;
  /** What the rows are. */
  readonly rowHead?: string;
  readonly columns: EstimateColumns;
  readonly facts: EstimateFacts;
  readonly rows: readonly EstimateRow[];
  readonly onOpen?: (rowId: string) => void;
}) {
  const { columns, facts, rows, onOpen } = props;
  return (
    <WideTable className={styles.table} label={props.label}>
      <thead>
        <tr>
          <th scope="col">{props.rowHead ?? 'Configuration'}</th>
          {columns.map(({ id, label, hint }) => (
            <th key={id} scope="col" className={styles.estimate}>
              <Tooltip label={hint} multiline w={260}>
                <span>
                  {label} <small>%</small>
                </span>
              </Tooltip>
            </th>
          ))}
          {facts.map(({ label, hint }) => (
            <th key={label} scope="col" className={styles.fact}>
              <Tooltip label={hint} multiline w={220}>
                <span>{label}</span>
              </Tooltip>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <EstimateLine key={row.id} row={row} columns={columns} facts={facts} onOpen={onOpen} />
        ))}
      </tbody>
    </WideTable>
  );
}

/** Memoised: a long table arrives piece by piece. */
const EstimateLine = memo(function EstimateLine(props: {
  readonly row: EstimateRow;
  readonly columns: EstimateColumns;
  readonly facts: EstimateFacts;
  readonly onOpen: ((rowId: string) => void) | undefined;
}) {
  const { row, columns, facts, onOpen } = props;
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>
          <i style={{ background: row.color }} />
          {onOpen === undefined ? (
            <span>{row.label}</span>
          ) : (
            <button type="button" onClick={() => onOpen(row.id)}>
              {row.label}
            </button>
          )}
          {row.warning !== undefined && row.warning !== null && (
            <Tooltip label={row.warning} multiline w={240}>
              <span className={styles.sign} role="img" aria-label={`Damaged. ${row.warning}`}>
                <IconAlertTriangle size={13} aria-hidden="true" />
              </span>
            </Tooltip>
          )}
        </span>
        <small title={row.note}>{row.note}</small>
        {row.detail !== undefined && row.detail !== '' && <small className={styles.how}>{row.detail}</small>}
      </th>
      {columns.map(({ id }, position) => (
        <td key={id} className={styles.estimate}>
          <VisuallyHidden>{spokenText(row.cells[position] ?? null)}</VisuallyHidden>
          <Estimate cell={row.cells[position] ?? null} color={row.color} />
        </td>
      ))}
      {facts.map(({ label }, position) => {
        const fact = row.facts[position] ?? '';
        const { text, hint } = typeof fact === 'string' ? { text: fact, hint: undefined } : fact;
        return (
          <td key={label} className={styles.fact} title={hint}>
            {text}
          </td>
        );
      })}
    </tr>
  );
});

function Estimate(props: { readonly cell: EstimateCell | null; readonly color: string }) {
  const { cell, color } = props;
  if (cell === null) {
    return (
      <>
        <span className={styles.missing} aria-hidden="true">
          –
        </span>
        <IntervalBar cell={null} color={color} />
      </>
    );
  }
  return (
    <Tooltip label={`${cell.basis}${spreadSentence(cell.seedSpread)}`} multiline w={240}>
      <div aria-hidden="true">
        <span className={styles.numbers}>
          <small>{spreadRange(cell.low, cell.high, undefined)}</small>
          <b>{percent(cell.value)}</b>
          <sup>{cell.letters}</sup>
        </span>
        <IntervalBar cell={cell} color={color} />
        {cell.seedSpread !== undefined && (
          <small className={styles.spread}>SD {percent(cell.seedSpread.sd)} over seeds</small>
        )}
      </div>
    </Tooltip>
  );
}

/** What a screen reader says of a value: the value first, then what the letters mean. */
function spokenText(cell: EstimateCell | null): string {
  if (cell === null) return 'not measured';
  const group = cell.letters === '' ? '' : `, letters ${cell.letters}`;
  const range = spreadRange(cell.low, cell.high, undefined);
  const interval = range === '' ? '' : `, interval ${range}`;
  const spread = cell.seedSpread === undefined ? '' : `, SD ${percent(cell.seedSpread.sd)} over seeds`;
  return `${percent(cell.value)} %${interval}${group}${spread}`;
}

/** The interval as a line, the value as a tick, on a scale from 0 to 100 %. */
function IntervalBar(props: {
  readonly cell: Pick<EstimateCell, 'value' | 'low' | 'high'> | null;
  readonly color: string;
}) {
  const { cell, color } = props;
  const at = (rate: number): string => `${Math.min(100, Math.max(0, rate * 100))}%`;
  return (
    <svg className={styles.bar} height="6" aria-hidden="true">
      <line x1="0" x2="100%" y1="3" y2="3" className={styles.track} />
      {cell !== null && (
        <>
          <line
            x1={at(cell.low)}
            x2={at(cell.high)}
            y1="3"
            y2="3"
            stroke={color}
            strokeWidth="2"
            opacity="0.45"
          />
          <line x1={at(cell.value)} x2={at(cell.value)} y1="0" y2="6" stroke={color} strokeWidth="2.5" />
        </>
      )}
    </svg>
  );
}

function spreadSentence(spread: SeedSpread | undefined): string {
  if (spread === undefined) return '';
  return `. Seeds alone: standard deviation ${percent(spread.sd)}, from ${percentRange(spread.min, spread.max)}`;
}

/** "over 40 problems and the seeds, 960 candidates; 2 excluded ...". */
export function basisText({
  problems,
  candidates,
  faults,
  seedSpread,
}: Pick<MetricCell, 'problems' | 'candidates' | 'faults' | 'seedSpread'>): string {
  const left =
    faults === 0 ? '' : `; ${count(faults)} excluded because the sandbox or the grader failed on them`;
  const seeds = seedSpread === undefined ? '' : ' and the seeds';
  return `95 % interval over ${plural(problems, 'problem')}${seeds}, ${plural(candidates, 'candidate')}${left}`;
}
