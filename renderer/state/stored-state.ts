import { useCallback, useState } from 'react';

/** Looks that a screen remembers over restarts: filters, switches. Kept in the window's own storage, by name. */
const PREFIX = 'looks.';

/** The text under this name, or null. Storage that cannot be read (a page without one) counts as empty. */
export function readStored(name: string): string | null {
  try {
    return globalThis.localStorage?.getItem(PREFIX + name) ?? null;
  } catch {
    return null;
  }
}

export function writeStored(name: string, text: string): void {
  try {
    globalThis.localStorage?.setItem(PREFIX + name, text);
  } catch {
    // A full or refused storage costs a look, never work.
  }
}

/** A switch that stands as it was left. */
export function useStoredFlag(name: string, first: boolean): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    const known = readStored(name);
    return known === null ? first : known === 'on';
  });
  const change = useCallback(
    (next: boolean): void => {
      setOn(next);
      writeStored(name, next ? 'on' : 'off');
    },
    [name],
  );
  return [on, change];
}

/** A choice or text that stands as it was left; what `read` does not know is the first. */
export function useStoredState<T extends string>(
  name: string,
  first: T,
  read: (text: string) => T | null,
): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const known = readStored(name);
    return known === null ? first : (read(known) ?? first);
  });
  const change = useCallback(
    (next: T): void => {
      setValue(next);
      writeStored(name, next);
    },
    [name],
  );
  return [value, change];
}
