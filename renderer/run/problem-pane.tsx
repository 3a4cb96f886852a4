import { TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef } from 'react';
import type { Outcome } from '../../preload/contract/folds/index';
import { OutcomeMark } from '../shared/studies/index';
import { type ProblemLine, type ProblemOrder, sharedPrefix } from '../state/index';
import { OUTCOMES, outcomeText } from '../text/metrics';
import { plural, Select } from '../widgets/index';
import styles from './problem-pane.module.css';

export type ProblemFilter = {
  readonly text: string;
  readonly outcome: Outcome | null;
  readonly order: ProblemOrder;
};
export const NO_FILTER: ProblemFilter = { text: '', outcome: null, order: 'run' };

const ORDERS: readonly { readonly value: ProblemOrder; readonly label: string }[] = [
  { value: 'run', label: 'Run order' },
  { value: 'outcome', label: 'By outcome' },
  { value: 'first', label: 'By first pass' },
];
const ROW = 24;

/** The problems of the run: outcome, id, nodes so far, first passing node. */
export const ProblemPane = memo(function ProblemPane(props: {
  readonly runLabel: string;
  readonly lines: readonly ProblemLine[];
  readonly shownLines: readonly ProblemLine[];
  readonly filter: ProblemFilter;
  readonly onFilter: (filter: ProblemFilter) => void;
  readonly chosen: string | null;
  readonly onChoose: (problemId: string) => void;
}) {
  const { lines, shownLines, filter, onFilter, chosen, onChoose } = props;
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  const prefix = useMemo(() => sharedPrefix(lines.map(({ problemId }) => problemId)), [lines]);
  const virtual = useVirtualizer({
    count: shownLines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const at = shownLines.findIndex(({ problemId }) => problemId === chosen);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || event.altKey) return;
    event.preventDefault();
    const next = shownLines[Math.min(shownLines.length - 1, Math.max(0, at + step))];
    if (next !== undefined) onChoose(next.problemId);
  };
  return (
    <div className={styles.problems}>
      <div className={styles.filters}>
        <TextInput
          aria-label="Filter problems"
          placeholder={`Filter ${plural(lines.length, 'problem')}`}
          value={filter.text}
          onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        />
        <div className={styles.selects}>
          <Select
            aria-label="Outcome"
            rightSectionWidth={22}
            value={filter.outcome ?? 'any'}
            allowDeselect={false}
            data={[
              { value: 'any', label: 'Any outcome' },
              ...OUTCOMES.map((outcome) => ({ value: outcome, label: outcomeText(outcome) })),
            ]}
            comboboxProps={{ width: 230, position: 'bottom-start' }}
            onChange={(value) =>
              onFilter({ ...filter, outcome: OUTCOMES.find((outcome) => outcome === value) ?? null })
            }
          />
          <Select
            aria-label="Order"
            rightSectionWidth={22}
            value={filter.order}
            allowDeselect={false}
            data={[...ORDERS]}
            comboboxProps={{ width: 180, position: 'bottom-end' }}
            onChange={(value) =>
              onFilter({ ...filter, order: ORDERS.find((order) => order.value === value)?.value ?? 'run' })
            }
          />
        </div>
      </div>
      <div className={styles.listHead} aria-hidden="true">
        <span title={prefix}>{prefix === '' ? 'Problem' : `${prefix}…`}</span>
        <span title="Nodes so far">nodes</span>
        <span title="The first node that passes the private tests">first</span>
      </div>
      <div
        ref={box}
        className={styles.lines}
        role="listbox"
        tabIndex={0}
        aria-label={`Problems of ${props.runLabel}`}
        aria-activedescendant={at < 0 ? undefined : `${listId}-${at}`}
        onKeyDown={pressed}
      >
        {shownLines.length === 0 && <p className={styles.none}>No matching problems.</p>}
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const line = shownLines[item.index];
            if (line === undefined) return null;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the list above has the focus
              <div
                key={line.problemId}
                id={`${listId}-${item.index}`}
                role="option"
                aria-selected={line.problemId === chosen}
                aria-posinset={item.index + 1}
                aria-setsize={shownLines.length}
                aria-label={`${line.problemId}: ${outcomeText(line.outcome)}`}
                className={styles.line}
                style={{ transform: `translateY(${item.start}px)` }}
                onClick={() => onChoose(line.problemId)}
              >
                <OutcomeMark kind={line.outcome} fill={line.fill} size={13} />
                <span>{line.problemId.slice(prefix.length)}</span>
                <span>{line.nodes}</span>
                <span>{line.firstPassing === null ? '–' : `#${line.firstPassing}`}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
});
