import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** A screen that is loaded has its title by then; of one that is not, the title is waited for. */
const SETTLED_MS = 400;

/**
 * Says the title of each screen that is opened: the focus stays where it was pressed, so a reader would hear nothing.
 * Where that is gone with its screen, as a square of a grid, the keyboard continues in the new one.
 */
export function RouteAnnouncer({ path, isRun }: { readonly path: string; readonly isRun: boolean }) {
  const [place, setPlace] = useState('');
  const first = useRef(path);
  useEffect(() => {
    const timer = setInterval(() => {
      const title = document.querySelector('main h1')?.textContent ?? '';
      if (title === '') return;
      clearInterval(timer);
      // A run has the title of its study.
      setPlace(isRun ? `${title}, a run` : title);
      // A window that has just opened begins at its start.
      const isLost = document.activeElement === document.body && path !== first.current;
      if (isLost) document.querySelector('main')?.focus({ preventScroll: true });
      first.current = '';
    }, SETTLED_MS);
    return () => clearInterval(timer);
  }, [path, isRun]);
  return (
    <VisuallyHidden role="status" aria-label="Screen">
      {place}
    </VisuallyHidden>
  );
}
