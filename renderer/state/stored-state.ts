import { useCallback, useState } from 'react';

/** View settings of screens that survive restarts (filters, switches), in the window's local storage. */
const PREFIX = 'looks.';

/** The stored text, or null. Storage that cannot be read counts as empty. */
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
    // Full or unavailable storage only loses a view setting.
  }
}

/** A switch whose state is stored. */
export function useStoredFlag(name: string, first: boolean): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    const stored = readStored(name);
    return stored === null ? first : stored === 'on';
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

/** A choice or text that is stored; `first` if `read` does not accept the stored text. */
export function useStoredState<T extends string>(
  name: string,
  first: T,
  read: (text: string) => T | null,
): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const stored = readStored(name);
    return stored === null ? first : (read(stored) ?? first);
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
