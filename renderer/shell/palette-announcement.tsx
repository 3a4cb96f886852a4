import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { plural } from '../widgets/index';

export const PALETTE_LIST = 'palette-lines';

/** So that a word is counted, not each of its letters. */
const TYPED_MS = 300;

/**
 * What screen readers say of the palette. The focus stays in its field while the arrows choose a line below, so the
 * field names the chosen line, and the number of lines is announced after typing. Mantine marks the chosen line only
 * visually.
 */
export function PaletteAnnouncement() {
  const status = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState('');
  useEffect(() => {
    const dialog = status.current?.closest('[role="dialog"]') ?? null;
    const field = dialog?.querySelector('input') ?? null;
    if (dialog === null || field === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const lines = nameLines(field, dialog.querySelectorAll('[data-action]'));
      clearTimeout(timer);
      timer = setTimeout(() => setFound(field.value === '' ? '' : countText(lines)), TYPED_MS);
    };
    const changes = new MutationObserver(look);
    changes.observe(dialog, { subtree: true, childList: true, attributeFilter: ['data-selected'] });
    look();
    return () => {
      changes.disconnect();
      clearTimeout(timer);
    };
  }, []);
  return (
    <VisuallyHidden ref={status} role="status">
      {found}
    </VisuallyHidden>
  );
}

const countText = (lines: number): string => (lines === 0 ? 'No results' : plural(lines, 'result'));

let named = 0;

/** Gives every line an id of its own, and the field that of the chosen one; how many lines there are. */
function nameLines(field: Element, lines: NodeListOf<Element>): number {
  let chosen = '';
  for (const line of lines) {
    if (line.id === '') line.id = `palette-line-${++named}`;
    const isChosen = line.hasAttribute('data-selected');
    line.setAttribute('aria-selected', String(isChosen));
    if (isChosen) chosen = line.id;
  }
  field.setAttribute('aria-expanded', String(lines.length > 0));
  if (chosen === '') field.removeAttribute('aria-activedescendant');
  else field.setAttribute('aria-activedescendant', chosen);
  return lines.length;
}
