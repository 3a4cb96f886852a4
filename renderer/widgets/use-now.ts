import { useEffect, useState } from 'react';

/** The time now in milliseconds since the epoch, renewed every `everyMs` while the component is shown. */
export function useNow(everyMs = 15_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
