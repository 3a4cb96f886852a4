import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, type WheelEvent } from 'react';
import { itemAt, type LogItem } from './log-lines';

const ROW = 16;
/** Rows from an edge at which more is loaded. */
const NEAR_ROWS = 200;
/** Width of a character of the logs' type in pixels: 12 px monospace, about. Only for estimates. */
const CHARACTER = 7.2;

export type LogScrollProps = {
  readonly items: readonly LogItem[];
  readonly follows: boolean;
  /** A byte to scroll to, once per jump. */
  readonly target: { readonly offset: number; readonly jump: number } | null;
  readonly wraps: boolean;
  readonly times: boolean;
  readonly onNear: (edge: 'top' | 'bottom') => void;
  readonly onLeaveEnd: () => void;
  readonly onEnd: () => void;
  /** The byte at the top of the view. */
  readonly onTop: (offset: number) => void;
};

/** Which rows are drawn, and where the view stands: at the end, at a line, or where a person has scrolled to. */
export function useLogScroll(props: LogScrollProps) {
  const { items, follows, target, wraps, times } = props;
  const box = useRef<HTMLDivElement | null>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const measured = useMergedRef(box, sized);
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

  const onScroll = (): void => {
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
  /** React to the wheel itself: with much output, new lines would scroll back before the scroll event arrives. */
  const onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0) props.onLeaveEnd();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
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

  return { virtual, box, measured, onScroll, onWheel, onKeyDown };
}

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
