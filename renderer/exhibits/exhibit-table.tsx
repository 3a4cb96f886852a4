import { type KeyboardEvent, memo } from 'react';
import type { FilledCell } from '../../preload/contract/exhibit';
import { isEntered, isSecondHand, measuresRate } from '../../preload/contract/plans/index';
import { Unbroken, WideTable } from '../widgets/index';
import { CellMark, type MarkKind } from './cell-mark';
import { cellSentence, differenceText, intervalText, paperText, valueText } from './cell-text';
import marks from './marks.module.css';
import styles from './table.module.css';
import { type Direction, neighbourCell, type TableCell, type TableLayout } from './table-layout';

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * The paper's table. Each cell shows our value with its interval, the paper's value with the difference, and an icon of
 * the state. Arrow keys move between cells. `common`: reasons for not comparing that hold for all cells, shown elsewhere.
 */
export function ExhibitTable(props: TableProps) {
  return (
    <div className={styles.tablePart}>
      <Cells {...props} />
      <TableLegend layout={props.layout} common={props.common} />
    </div>
  );
}

type TableProps = {
  readonly label: string;
  readonly layout: TableLayout;
  readonly common: readonly string[];
  readonly chosen: string | null;
  readonly onChoose: (key: string | null) => void;
};

function Cells(props: TableProps) {
  const { label, layout, common, chosen, onChoose } = props;
  const first = layout.rows.flatMap(({ cells }) => cells).find((cell) => cell !== null)?.key ?? null;
  // One Tab stop: the selected cell, or the first.
  const stop = chosen ?? first;
  const pressed = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && chosen !== null) onChoose(null);
    const step = KEYS[event.key];
    const here = (event.target as HTMLElement).dataset.cell;
    if (step === undefined || here === undefined || event.altKey) return;
    event.preventDefault();
    const next = neighbourCell(layout, here, step);
    const button = event.currentTarget.querySelector<HTMLElement>(`[data-cell="${CSS.escape(next)}"]`);
    button?.focus();
    if (chosen !== null) onChoose(next);
  };
  return (
    <WideTable className={styles.table} label={label} onKeyDown={pressed}>
      <thead>
        {layout.columnGroups.length > 0 && (
          <tr className={styles.groups}>
            <td />
            {layout.columnGroups.map((group, at) => (
              <th key={`${group.label} ${at}`} scope="colgroup" colSpan={group.span}>
                <span data-empty={group.label === '' || undefined}>{group.label}</span>
              </th>
            ))}
          </tr>
        )}
        <tr className={styles.heads}>
          <td />
          {layout.columns.map((column, at) => (
            <th key={column.id} scope="col">
              {column.label} {layout.inPercent[at] && <small>%</small>}
            </th>
          ))}
        </tr>
      </thead>
      {layout.rows.map((row) => (
        <tbody key={row.id} data-group={row.group !== null || undefined}>
          {row.group !== null && (
            <tr className={styles.group}>
              <th scope="rowgroup" colSpan={layout.columns.length + 1}>
                <span>{row.group}</span>
              </th>
            </tr>
          )}
          <tr className={styles.row}>
            <th scope="row">
              <Unbroken text={row.label} />
            </th>
            {row.cells.map((cell, at) => (
              <td key={layout.columns[at]?.id}>
                {cell !== null && (
                  <CellButton
                    at={cell}
                    row={row.name}
                    common={common}
                    hasPaper={layout.hasPaper[at] ?? false}
                    isChosen={cell.key === chosen}
                    isStop={cell.key === stop}
                    onChoose={onChoose}
                  />
                )}
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </WideTable>
  );
}

const CellButton = memo(function CellButton(props: {
  readonly at: TableCell;
  readonly row: string;
  readonly common: readonly string[];
  readonly hasPaper: boolean;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (key: string | null) => void;
}) {
  const { at, row, common, hasPaper, isChosen, isStop, onChoose } = props;
  const { key, cell, filled, ours: isOurs } = at;
  const [reference] = cell.reference;
  const ours = filled?.ours ?? null;
  const rate = measuresRate(cell.measure);
  const reasons = (filled?.notComparable ?? []).filter((reason) => !common.includes(reason));
  const isComparable = filled !== null && filled.notComparable.length === 0;
  const mark = markOf(filled, reasons.length > 0);
  const sentence = cellSentence(cell, filled, reasons);
  return (
    <button
      type="button"
      className={styles.cell}
      data-cell={key}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={`${row}: ${sentence}`}
      title={sentence}
      onClick={() => onChoose(isChosen ? null : key)}
    >
      <span className={styles.ours}>
        {mark !== null && <CellMark {...mark} />}
        {ours === null ? (
          <b className={styles.none}>–</b>
        ) : (
          <>
            <small>{intervalText(ours, rate)}</small>
            <b>{valueText(ours.value, rate)}</b>
          </>
        )}
      </span>
      {rate && (
        <CellBar
          ours={ours}
          paper={reference === undefined || reference.unit !== '%' ? null : reference.value / 100}
        />
      )}
      <span className={styles.paper}>
        {ours?.seedSpread !== undefined && <span>SD {valueText(ours.seedSpread.sd, rate)} over seeds</span>}
        {hasPaper && (
          <span>
            {reference !== undefined
              ? `paper ${paperText(cell.reference)}${isEntered(reference) ? ', entered' : ''}`
              : isOurs
                ? 'not in the paper'
                : 'not given'}
          </span>
        )}
        {/* Of what cannot be compared a difference says nothing. */}
        {hasPaper && isComparable && reference !== undefined && filled.difference !== null && (
          <i>{differenceText(filled.difference, reference.unit)}</i>
        )}
      </span>
    </button>
  );
});

/** Our interval as a line, our value as a tick, the paper's as a ring, from 0 to 100 %. */
function CellBar(props: { readonly ours: FilledCell['ours']; readonly paper: number | null }) {
  const { ours, paper } = props;
  const at = (rate: number): string => `${Math.min(100, Math.max(0, rate * 100))}%`;
  return (
    <svg className={styles.bar} height="7" aria-hidden="true">
      <line className={styles.track} x1="0" x2="100%" y1="3.5" y2="3.5" />
      {ours !== null && (
        <>
          <line className={styles.interval} x1={at(ours.low)} x2={at(ours.high)} y1="3.5" y2="3.5" />
          <line className={styles.value} x1={at(ours.value)} x2={at(ours.value)} y1="0" y2="7" />
        </>
      )}
      {paper !== null && <circle className={styles.ring} cx={at(paper)} cy="3.5" r="2.25" />}
    </svg>
  );
}

/** null: no icon needed. */
function markOf(
  filled: FilledCell | null,
  isIncomparable: boolean,
): { readonly kind: MarkKind; readonly share?: number } | null {
  if (filled === null) return null;
  const { state, ours } = filled;
  if (state.kind === 'running') return { kind: 'running', share: state.share01 };
  if (state.kind === 'failed' || state.kind === 'missing' || state.kind === 'planned')
    return { kind: state.kind };
  if (isIncomparable && ours !== null) return { kind: 'incomparable' };
  return state.kind === 'done' && state.reused ? { kind: 'reused' } : null;
}

const LEGEND: readonly { readonly kind: MarkKind; readonly label: string }[] = [
  { kind: 'planned', label: 'planned' },
  { kind: 'running', label: 'running' },
  { kind: 'reused', label: 'reused from earlier runs' },
  { kind: 'incomparable', label: 'not comparable' },
  { kind: 'failed', label: 'failed' },
  { kind: 'missing', label: 'not measured' },
];

/** Reasons that hold for all cells, above the table. */
export function CommonReasons({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.common} aria-label="Why these values are not comparable with the paper's">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

/** Legend of the icons that occur in the table. */
function TableLegend(props: { readonly layout: TableLayout; readonly common: readonly string[] }) {
  const { layout, common } = props;
  const cells = layout.rows.flatMap((row) => row.cells);
  const kinds = new Set(
    cells.map((cell) => {
      const filled = cell?.filled ?? null;
      const isIncomparable = filled?.notComparable.some((reason) => !common.includes(reason)) ?? false;
      return markOf(filled, isIncomparable)?.kind;
    }),
  );
  return (
    <ul className={marks.legend} aria-label="Legend">
      <li>
        <svg width="22" height="8" aria-hidden="true">
          <line className={styles.interval} x1="1" x2="21" y1="4" y2="4" />
          <line className={styles.value} x1="11" x2="11" y1="0.5" y2="7.5" />
        </svg>
        ours, 95 % interval
      </li>
      {layout.hasPaper.includes(true) && (
        <li>
          <svg width="8" height="8" aria-hidden="true">
            <circle className={styles.ring} cx="4" cy="4" r="2.25" />
          </svg>
          paper
        </li>
      )}
      {cells.some((cell) => cell?.cell.reference.some(isSecondHand)) && (
        <li>* second-hand: read in a text about the paper, not in it</li>
      )}
      {LEGEND.filter(({ kind }) => kinds.has(kind)).map(({ kind, label }) => (
        <li key={kind}>
          <CellMark kind={kind} />
          {label}
        </li>
      ))}
    </ul>
  );
}
