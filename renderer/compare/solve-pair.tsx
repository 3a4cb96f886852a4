import { Select } from '../widgets/index';
import styles from './matrix.module.css';
import type { PairCounts, SolvePart } from './solve-order';
import tables from './tables.module.css';

/** Two configurations and how many problems both, one or neither solve; clicking a number filters the problems. */
export function PairLine(props: {
  readonly names: readonly string[];
  readonly first: number;
  readonly second: number;
  readonly counts: PairCounts;
  readonly part: SolvePart;
  readonly onPart: (part: SolvePart) => void;
  readonly onFirst: (name: string | null) => void;
  readonly onSecond: (name: string | null) => void;
}) {
  const { names, first, second, counts, part, onPart } = props;
  const choices: readonly (readonly [SolvePart, string, number])[] = [
    ['both', 'both', counts.both],
    ['only-first', 'only the first', counts.onlyFirst],
    ['only-second', 'only the second', counts.onlySecond],
    ['neither', 'neither', counts.neither],
  ];
  const select = (label: string, at: number, choose: (name: string | null) => void) => (
    <Select
      aria-label={label}
      w={200}
      searchable={names.length > 12}
      limit={100}
      allowDeselect={false}
      value={names[at] ?? null}
      data={names}
      onChange={choose}
    />
  );
  return (
    <div className={styles.pairLine}>
      {select('First configuration', first, props.onFirst)}
      <span className={tables.soft}>and</span>
      {select('Second configuration', second, props.onSecond)}
      {choices.map(([id, label, number]) => (
        <button
          key={id}
          type="button"
          aria-pressed={part === id}
          onClick={() => onPart(part === id ? 'every' : id)}
        >
          {label} <b>{number}</b>
        </button>
      ))}
    </div>
  );
}
