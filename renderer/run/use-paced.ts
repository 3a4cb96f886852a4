import { useEffect, useRef, useState } from 'react';

/** The value, or with a pace what it was at the last beat: for what is dear to show and changes at every frame. */
export function usePaced<T>(value: T, everyMs: number | null): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    if (everyMs === null) return;
    setShown(latest.current);
    const timer = setInterval(() => setShown(latest.current), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return everyMs === null ? value : shown;
}
