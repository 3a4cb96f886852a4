import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { plural } from '../widgets/index';

export function ShowMore(props: {
  readonly hidden: number;
  readonly what: string;
  readonly onMore: () => void;
}) {
  if (props.hidden === 0) return null;
  return (
    <Button variant="subtle" size="compact-xs" mt={4} ml={-7} onClick={props.onMore}>
      Show more of {plural(props.hidden, `further ${props.what}`)}
    </Button>
  );
}

/** Lines that one frame draws: no press holds up the window. */
const ROWS_PER_FRAME = 8;
/** Lines that come of themselves; for more one asks. */
const PAGE = 40;

/** How many of so many lines are drawn by now: a few more with each frame. */
export function useProgressiveCount(count: number): number {
  const [drawn, setDrawn] = useState(ROWS_PER_FRAME);
  useEffect(() => {
    if (drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + ROWS_PER_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [drawn, count]);
  return Math.min(drawn, count);
}

/** Of a long list the first lines, drawn frame by frame, and a press for more. */
export function useVisibleRows<T>(items: readonly T[]): {
  readonly shown: readonly T[];
  readonly hidden: number;
  readonly more: () => void;
} {
  const [limit, setLimit] = useState(PAGE);
  const drawn = useProgressiveCount(Math.min(limit, items.length));
  return {
    shown: items.length > drawn ? items.slice(0, drawn) : items,
    hidden: Math.max(0, items.length - limit),
    more: () => setLimit(limit + PAGE * 2),
  };
}
