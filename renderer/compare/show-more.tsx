import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { plural } from '../widgets/index';

export function ShowMore(props: {
  readonly hidden: number;
  readonly noun: string;
  readonly onMore: () => void;
}) {
  if (props.hidden === 0) return null;
  return (
    <Button variant="subtle" size="compact-xs" mt={4} ml={-7} onClick={props.onMore}>
      Show more ({plural(props.hidden, `more ${props.noun}`)})
    </Button>
  );
}

/** Rows rendered per frame, so that the window stays responsive. */
const ROWS_PER_FRAME = 8;
/** Rows shown before "Show more". */
const PAGE = 40;

/** How many of `count` rows to render now: a few more with every frame. */
export function useProgressiveCount(count: number): number {
  const [drawn, setDrawn] = useState(ROWS_PER_FRAME);
  useEffect(() => {
    if (drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + ROWS_PER_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [drawn, count]);
  return Math.min(drawn, count);
}

/** The first page of a long list, rendered over several frames, with a function to show more. */
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
