import { type Ref, useImperativeHandle } from 'react';
import type { LeftOutPart } from '../../preload/contract/job';
import { LineRow, SkippedRow } from './log-row';
import classes from './log-rows.module.css';
import { type LogScrollProps, useLogScroll } from './use-log-scroll';

export type RowsHandle = {
  /** Brings an item into the middle of the view. */
  readonly show: (position: number) => void;
  readonly focus: () => void;
};

/** A virtual list of lines. The visible line stays in place while others are added above or below. */
export function LogRows(
  props: LogScrollProps & {
    readonly ref: Ref<RowsHandle>;
    readonly label: string;
    /** What the log's limit left out; null: nothing. */
    readonly leftOut: LeftOutPart | null;
    /** Text to highlight, in lower case; empty: none. */
    readonly marked: string;
    /** Index of the current match, or -1. */
    readonly current: number;
    readonly onGoTo: (offset: number) => void;
  },
) {
  const { items, follows, wraps, times, marked, current } = props;
  const { virtual, box, measured, onScroll, onWheel, onKeyDown } = useLogScroll(props);
  useImperativeHandle(props.ref, () => ({
    show: (position) => virtual.scrollToIndex(position, { align: 'center' }),
    focus: () => box.current?.focus(),
  }));

  const shown = virtual.getVirtualItems();
  return (
    <div
      ref={measured}
      role="log"
      aria-label={props.label}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by its keys
      tabIndex={0}
      className={classes.rows}
      data-wraps={wraps || undefined}
      data-times={times || undefined}
      onScroll={onScroll}
      onWheel={onWheel}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative', minWidth: '100%' }}>
        {shown.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <div
              // Keyed by index: with much output every row changes each time, and elements are reused.
              key={follows ? row.index % shown.length : row.key}
              ref={wraps ? virtual.measureElement : undefined}
              data-index={row.index}
              className={classes.row}
              style={{ transform: `translateY(${row.start}px)` }}
              data-current={row.index === current || undefined}
            >
              {item.kind === 'skipped' ? (
                <SkippedRow part={item} leftOut={props.leftOut} onGoTo={props.onGoTo} />
              ) : (
                <LineRow line={item} times={times} marked={marked} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
