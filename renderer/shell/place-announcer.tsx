import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A screen that is loaded has its title by then. */
const SETTLED_MS = 400;

/** Says the title of each screen that is opened: the focus stays where it was pressed, so a reader would hear nothing. */
export function PlaceAnnouncer({ path, isRun }: { readonly path: string; readonly isRun: boolean }) {
  const [place, setPlace] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = document.querySelector('main h1')?.textContent ?? '';
      // A run has the title of its study.
      setPlace(isRun ? `${title}, a run` : title);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [path, isRun]);
  return (
    <VisuallyHidden role="status" aria-label="Screen">
      {place}
    </VisuallyHidden>
  );
}
