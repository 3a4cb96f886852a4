import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { leftOutText } from '../../preload/contract/folds/left-out-text';
import type { LeftOutPart } from '../../preload/contract/job';
import { bytes } from '../widgets/index';
import { type Span, spansOf, withoutTabs } from './control-sequences';
import { isLeftOut, itemAt, type LogItem, type LogLine, type SkippedPart } from './log-lines';
import classes from './log-pane.module.css';
import { timeOf } from './log-times';

const ROW = 16;
/** Rows from an edge at which more is loaded. */
const NEAR_ROWS = 200;

export type RowsHandle = {
  /** Brings an item into the middle of the view. */
  readonly show: (position: number) => void;
  readonly focus: () => void;
};

/** A virtual list of lines. The visible line stays in place while others are added above or below. */
export function LogRows(props: {
  readonly ref: Ref<RowsHandle>;
  readonly label: string;
  readonly items: readonly LogItem[];
  /** What the log's limit left out; null: nothing. */
  readonly leftOut: LeftOutPart | null;
  readonly follows: boolean;
  /** A byte to scroll to, once per jump. */
  readonly target: { readonly offset: number; readonly jump: number } | null;
  readonly wraps: boolean;
  readonly times: boolean;
  /** Text to highlight, in lower case; empty: none. */
  readonly marked: string;
  /** Index of the current match, or -1. */
  readonly current: number;
  readonly onNear: (edge: 'top' | 'bottom') => void;
  readonly onLeaveEnd: () => void;
  readonly onEnd: () => void;
  /** The byte at the top of the view. */
  readonly onTop: (offset: number) => void;
  readonly onGoTo: (offset: number) => void;
}) {
  const { items, follows, target, wraps, times, marked, current } = props;
  const box = useRef<HTMLDivElement | null>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const held = useMergedRef(box, sized);
  const columns = Math.max(20, Math.floor((width - 24 - (times ? 104 : 0)) / CHARACTER));
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    // Stable identity: another function would measure everything again.
    estimateSize: useCallback(
      (at: number) => (wraps ? ROW * rowsOf(items[at], columns) : ROW),
      [items, wraps, columns],
    ),
    getItemKey: useCallback((at: number) => keyOf(items[at]), [items]),
    overscan: follows ? 6 : 24,
  });
  // Another width or style measures everything again.
  useEffect(() => virtual.measure(), [virtual, wraps, columns]);

  /** The top line and its scroll offset: the anchor that must not move. */
  const anchor = useRef<{ readonly key: number; readonly shift: number } | null>(null);
  const lastTop = useRef(0);
  /** Target of our own last scroll; its event arrives later, perhaps after one of the user's. */
  const ownTop = useRef(-1);
  const jumped = useRef(0);

  const scrollTo = (top: number): void => {
    const element = box.current;
    if (element === null || Math.abs(element.scrollTop - top) < 1) return;
    element.scrollTop = top;
    ownTop.current = element.scrollTop;
    lastTop.current = element.scrollTop;
  };
  const noteAnchor = (): void => {
    const element = box.current;
    if (element === null) return;
    const top = virtual.getVirtualItemForOffset(element.scrollTop);
    const item = top === undefined ? undefined : items[top.index];
    if (top === undefined || item === undefined) return;
    anchor.current = { key: keyOf(item), shift: element.scrollTop - top.start };
    if (!follows) props.onTop(item.offset);
  };
  const near = (): void => {
    const element = box.current;
    if (element === null || items.length === 0) return;
    if (element.scrollTop < NEAR_ROWS * ROW) props.onNear('top');
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (!follows && below < NEAR_ROWS * ROW) props.onNear('bottom');
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || items.length === 0) return;
    if (follows) {
      scrollTo(element.scrollHeight);
      anchor.current = null;
    } else if (target !== null && target.jump !== jumped.current) {
      jumped.current = target.jump;
      const position = positionOf(items, target.offset);
      virtual.scrollToIndex(position, { align: target.offset === 0 ? 'start' : 'center' });
      lastTop.current = element.scrollTop;
    } else if (anchor.current !== null) {
      const { key, shift } = anchor.current;
      const position = positionOf(items, Math.floor(key / 2));
      const start = virtual.measurementsCache[position]?.start;
      if (start !== undefined && keyOf(items[position]) === key) scrollTo(start + shift);
    }
    noteAnchor();
    near();
  }, [items, follows, target, wraps, columns]);

  useImperativeHandle(props.ref, () => ({
    show: (position) => virtual.scrollToIndex(position, { align: 'center' }),
    focus: () => box.current?.focus(),
  }));

  const scrolled = (): void => {
    const element = box.current;
    if (element === null) return;
    const top = element.scrollTop;
    const atEnd = top + element.clientHeight >= element.scrollHeight - 4;
    if (Math.abs(top - ownTop.current) >= 1) {
      if (atEnd) props.onEnd();
      else if (top < lastTop.current - 1) props.onLeaveEnd();
    }
    lastTop.current = top;
    noteAnchor();
    near();
  };
  const pressed = (event: KeyboardEvent): void => {
    const element = box.current;
    if (element === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = {
      ArrowUp: -ROW,
      ArrowDown: ROW,
      PageUp: -element.clientHeight,
      PageDown: element.clientHeight,
    }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (step < 0) props.onLeaveEnd();
    element.scrollTop += step;
  };

  const shown = virtual.getVirtualItems();
  return (
    <div
      ref={held}
      role="log"
      aria-label={props.label}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by its keys
      tabIndex={0}
      className={classes.rows}
      data-wraps={wraps || undefined}
      data-times={times || undefined}
      onScroll={scrolled}
      // React to the wheel itself: with much output, new lines would scroll back before the scroll event arrives.
      onWheel={(event) => {
        if (event.deltaY < 0) props.onLeaveEnd();
      }}
      onKeyDown={pressed}
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

/** Width of a character of the logs' type in pixels: 12 px monospace, about. Only for estimates. */
const CHARACTER = 7.2;

function rowsOf(item: LogItem | undefined, columns: number): number {
  if (item === undefined || item.kind === 'skipped') return 1;
  return Math.max(1, Math.ceil(item.text.length / columns));
}

/** A skipped part may start at the same offset as a line. */
function keyOf(item: LogItem | undefined): number {
  return item === undefined ? -1 : item.offset * 2 + (item.kind === 'skipped' ? 1 : 0);
}

function positionOf(items: readonly LogItem[], offset: number): number {
  return Math.max(0, itemAt(items, offset));
}

function SkippedRow(props: {
  readonly part: SkippedPart;
  readonly leftOut: LeftOutPart | null;
  readonly onGoTo: (offset: number) => void;
}) {
  const { part, leftOut } = props;
  const { offset, bytes: size } = part;
  if (isLeftOut(part, leftOut)) {
    return <span className={classes.skipped}>{leftOutText(leftOut)}</span>;
  }
  return (
    <span className={classes.skipped}>
      {bytes(size)} came too fast to show; they are in the file.
      <button type="button" onClick={() => props.onGoTo(offset)}>
        Read them
      </button>
    </span>
  );
}

const LineRow = memo(function LineRow(props: {
  readonly line: LogLine;
  readonly times: boolean;
  readonly marked: string;
}) {
  const { line, times, marked } = props;
  const time = times ? timeOf(line) : null;
  return (
    <>
      {times && (
        <time
          className={classes.time}
          data-arrival={time?.isArrival || undefined}
          title={time?.isArrival === true ? 'When it arrived here' : undefined}
        >
          {time?.text ?? ''}
        </time>
      )}
      <span className={classes.text}>
        {line.text === '' ? ' ' : spansOf(line.styled).map((span, at) => drawn(span, marked, at))}
        {line.folds > 0 && (
          <small
            className={classes.folds}
            title={`${line.folds} earlier states of this line were overwritten, as a progress bar does`}
          >
            {` ↻ ${line.folds}`}
          </small>
        )}
      </span>
    </>
  );
});

function drawn(span: Span, marked: string, key: number): ReactNode {
  const text = withoutTabs(span.text);
  return (
    <span
      key={key}
      data-tone={span.tone ?? undefined}
      data-strong={span.strong || undefined}
      data-soft={span.soft || undefined}
    >
      {marked === '' ? text : withMarks(text, marked)}
    </span>
  );
}

function withMarks(text: string, marked: string): ReactNode {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return text; // a letter whose small form is longer: nothing is marked
  const parts: ReactNode[] = [];
  let from = 0;
  for (;;) {
    const at = lower.indexOf(marked, from);
    if (at === -1) break;
    if (at > from) parts.push(text.slice(from, at));
    parts.push(<mark key={at}>{text.slice(at, at + marked.length)}</mark>);
    from = at + marked.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
