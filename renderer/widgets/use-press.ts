import { useCallback, useState } from 'react';

/** A press that takes its time: `busy` from the press until it is done, so the button answers at once. */
export function usePress(action: () => Promise<void>): {
  readonly busy: boolean;
  readonly press: () => void;
} {
  const [busy, setBusy] = useState(false);
  const press = useCallback(() => {
    setBusy(true);
    void action().finally(() => setBusy(false));
  }, [action]);
  return { busy, press };
}
