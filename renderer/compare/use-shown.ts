import { useEffect, useState } from 'react';

/** Lines that one frame draws: no press holds up the window. */
const A_FRAME = 8;
/** Lines that come of themselves; for more one asks. */
const AT_ONCE = 40;

/** How many of so many lines are drawn by now: a few more with each frame. */
export function useDrawn(count: number): number {
  const [drawn, setDrawn] = useState(A_FRAME);
  useEffect(() => {
    if (drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [drawn, count]);
  return Math.min(drawn, count);
}

/** Of a long list the first lines, drawn frame by frame, and a press for more. */
export function useShown<T>(items: readonly T[]): {
  readonly shown: readonly T[];
  readonly hidden: number;
  readonly more: () => void;
} {
  const [wished, setWished] = useState(AT_ONCE);
  const drawn = useDrawn(Math.min(wished, items.length));
  return {
    shown: items.length > drawn ? items.slice(0, drawn) : items,
    hidden: Math.max(0, items.length - wished),
    more: () => setWished(wished + AT_ONCE * 2),
  };
}
