import { useEffect, useRef, useState } from 'react';

/**
 * The value, shown anew at most once in `leastMs` milliseconds: for what is dear to show and may change at every frame.
 * A change after a pause shows at once, and the last one always does.
 */
export function usePaced<T>(value: T, leastMs: number): T {
  const [shown, setShown] = useState(value);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const show = (): void => {
      shownAt.current = performance.now();
      setShown(() => value);
    };
    const wait = shownAt.current + leastMs - performance.now();
    if (wait <= 0) {
      show();
      return;
    }
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [value, leastMs]);
  return shown;
}
