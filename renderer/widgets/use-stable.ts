import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function for as long as the component lives, which does what `act` does now. For events alone. */
export function useStableCallback<A extends readonly unknown[]>(
  act: (...args: A) => void,
): (...args: A) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
