import type { Point } from './tree-view';

export type GestureTarget = {
  readonly pan: (dx: number, dy: number) => void;
  readonly zoomBy: (factor: number, point: Point) => void;
  readonly press: (point: Point) => void;
  readonly doublePress: () => void;
  /** The pointer's position; null after it left or while it drags. */
  readonly hover: (point: Point | null) => void;
};

/** A press that moves less than this is a click, pixels. */
const CLICK_SLOP = 4;
/** Zoom per wheel pixel: a notch of 100 gives about a quarter. A pinch comes as small deltas with ctrl. */
const WHEEL_RATE = 0.0022;
const PINCH_RATE = 0.01;
const LINE_PIXELS = 16;

/**
 * Wheel and pinch zoom around the pointer, Shift + wheel and dragging pan, a click presses. Several pointers at once
 * (touch) pan with their centre and zoom with their distance. Returns a function that removes the listeners.
 */
export function listenToGestures(element: HTMLElement, target: GestureTarget): () => void {
  const pointers = new Map<number, Point>();
  let start: Point | null = null;
  let dragged = false;
  const ended = new AbortController();
  const options = { signal: ended.signal };

  const pointOf = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
      if (event.shiftKey && !event.ctrlKey) {
        target.pan(-(event.deltaX || event.deltaY) * unit, 0);
        return;
      }
      const rate = event.ctrlKey ? PINCH_RATE : WHEEL_RATE;
      target.zoomBy(Math.exp(-event.deltaY * unit * rate), pointOf(event));
    },
    { ...options, passive: false },
  );

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button > 1) return;
      const point = pointOf(event);
      pointers.set(event.pointerId, point);
      if (pointers.size === 1) {
        start = point;
        dragged = event.button === 1;
      }
    },
    options,
  );

  element.addEventListener(
    'pointermove',
    (event) => {
      const point = pointOf(event);
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        target.hover(point);
        return;
      }
      if (!dragged && start !== null && Math.hypot(point.x - start.x, point.y - start.y) < CLICK_SLOP) return;
      if (!dragged) element.setPointerCapture(event.pointerId);
      dragged = true;
      target.hover(null);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, point);
      if (other === undefined) {
        target.pan(point.x - before.x, point.y - before.y);
        return;
      }
      target.pan((point.x - before.x) / 2, (point.y - before.y) / 2);
      const spread = Math.hypot(point.x - other.x, point.y - other.y);
      const spreadBefore = Math.hypot(before.x - other.x, before.y - other.y);
      if (spreadBefore > 0 && spread > 0) {
        target.zoomBy(spread / spreadBefore, { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
      }
    },
    options,
  );

  const release = (event: PointerEvent, isPress: boolean): void => {
    if (!pointers.delete(event.pointerId)) return;
    if (isPress && !dragged && start !== null && pointers.size === 0) target.press(pointOf(event));
    if (pointers.size === 0) start = null;
  };
  element.addEventListener('pointerup', (event) => release(event, true), options);
  element.addEventListener('pointercancel', (event) => release(event, false), options);
  element.addEventListener('pointerleave', () => target.hover(null), options);
  element.addEventListener('dblclick', () => target.doublePress(), options);
  return () => ended.abort();
}
