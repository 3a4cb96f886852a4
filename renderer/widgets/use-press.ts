import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * A press that takes its time: `busy` from the press until it is done, so the button answers at once. A busy button cannot
 * have the focus: it gets it back, unless something else has it by then.
 */
export function usePress(action: () => Promise<void>): {
  readonly busy: boolean;
  readonly press: () => void;
} {
  const [busy, setBusy] = useState(false);
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    if (!busy) return;
    return () => {
      const button = pressed.current;
      if (document.activeElement === document.body && button instanceof HTMLElement && button.isConnected)
        button.focus();
    };
  }, [busy]);
  const press = useCallback(() => {
    pressed.current = document.activeElement;
    setBusy(true);
    void action().finally(() => setBusy(false));
  }, [action]);
  return { busy, press };
}
