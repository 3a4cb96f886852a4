import type { GpuReading } from '../../preload/contract/gpu';
import { gibText } from '../../preload/contract/plans/index';
import { Sparkline, useNow } from '../widgets/index';
import styles from './gpu-bars.module.css';
import { type GpuRow, HOUR_MINUTES, hourOfUse, ownersText, usableRows } from './gpu-rows';

/**
 * A bar for each GPU: memory, utilisation with its last hour, and users. Our own are highlighted; what has failed stands
 * below them.
 */
export function GpuBars(props: {
  readonly rows: readonly GpuRow[];
  readonly history: GpuReading['history'];
  readonly isStale: boolean;
}) {
  const now = useNow();
  return (
    <ul className={styles.bars} data-old={props.isStale || undefined}>
      {usableRows(props.rows)
        .toSorted((a, b) => Number(a.state === 'unhealthy') - Number(b.state === 'unhealthy'))
        .map((row) => (
          <GpuBar key={row.gpu.id} row={row} hour={hourOfUse(props.history[row.gpu.id] ?? [], now)} />
        ))}
    </ul>
  );
}

function GpuBar(props: { readonly row: GpuRow; readonly hour: readonly (number | null)[] }) {
  const { row, hour } = props;
  const { gpu, used01, state } = row;
  if (state === 'unhealthy') {
    // What is wrong with it is a sentence: too long to stand below a bar.
    return (
      <li className={styles.unhealthy} title={titleOf(row)}>
        <b>{row.short}</b>
        <span>{gpu.problems[0] ?? 'unhealthy'}</span>
      </li>
    );
  }
  return (
    <li className={styles.bar} data-state={state} title={titleOf(row)}>
      <b>{row.short}</b>
      <span>{gpu.utilisation === null ? '' : `${Math.round(gpu.utilisation)} %`}</span>
      <i aria-hidden="true">
        <em style={{ width: `${(used01 ?? 0) * 100}%` }} />
      </i>
      {hour.some((use) => use !== null) && (
        <Sparkline label={`Use of ${row.name} in the last hour`} area={hour} length={HOUR_MINUTES} />
      )}
      <small data-asked={isReserved(row) || undefined}>{barText(row)}</small>
    </li>
  );
}

/** Nobody uses it, and it is for somebody. */
function isReserved({ state, reservation }: GpuRow): boolean {
  return reservation !== null && (state === 'free' || state === 'reserved');
}

function barText(row: GpuRow): string {
  const { reservation } = row;
  if (reservation === null || !isReserved(row)) return ownersText(row);
  return reservation.isOwn ? 'reserved for you' : `reserved: ${reservation.user}`;
}

function titleOf(row: GpuRow): string {
  const { gpu, name, model, reservation } = row;
  const memory =
    gpu.memoryUsedMib === null || gpu.memoryTotalMib === null
      ? 'memory unknown'
      : `${gibText(gpu.memoryUsedMib)} of ${gibText(gpu.memoryTotalMib)} GiB in use`;
  const reserved =
    reservation === null ? [] : [`Reserved by ${reservation.isOwn ? 'you' : reservation.user}`];
  return [`${name}, ${model}`, memory, ownersText(row), ...reserved, ...gpu.problems].join('\n');
}
