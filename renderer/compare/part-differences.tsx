import { useState } from 'react';
import type { PartPair } from '../../preload/contract/analysis';
import { Disclosure, plural } from '../widgets/index';
import type { NamedRow } from './figures-table';
import { PairTable } from './pair-table';
import { ShowMore, useVisibleRows } from './show-more';
import styles from './tables.module.css';

/** More parts in a line are not read. */
const MAX_NAMED = 3;

/** "heterogeneous minus single in hard": where configurations differ significantly, for the line above the table. */
function findingText(pairs: readonly PartPair[]): string {
  const found = pairs.filter(({ separable }) => separable);
  const named = found
    .slice(0, MAX_NAMED)
    .map(({ first, second, part }) => `${first} minus ${second} in ${part}`);
  const rest = found.length > MAX_NAMED ? `; and ${found.length - MAX_NAMED} more` : '';
  if (found.length === 0) return `none of ${plural(pairs.length, 'difference')} significant`;
  return `${found.length} of ${plural(pairs.length, 'difference')} significant: ${named.join('; ')}${rest}`;
}

/** The differences between configurations in each part of the problems; `pairs`: those of one grouping and metric. */
export function PartDifferences(props: {
  readonly pairs: readonly PartPair[];
  readonly rows: readonly NamedRow[];
  /** Which pairs are compared; empty: all. */
  readonly note: string;
}) {
  const { pairs, rows, note } = props;
  const [open, setOpen] = useState(false);
  const { shown, hidden, more } = useVisibleRows(pairs);
  if (pairs.length === 0) return null;
  return (
    <Disclosure
      label="Differences in each group"
      note={findingText(pairs)}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      <PairTable label="Differences in each group" rows={rows} pairs={pairs} shown={shown} oneMetric />
      <ShowMore hidden={hidden} noun="difference" onMore={more} />
      {note !== '' && <p className={styles.basis}>{note}</p>}
    </Disclosure>
  );
}
