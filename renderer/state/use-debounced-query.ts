import { useEffect, useState } from 'react';
import type { Answer } from '../../preload/contract/refusal';
import { LOADING, type Loadable, loaded } from './loadable';

/** Milliseconds without a change before the request is sent. */
const PAUSE_MS = 400;

/**
 * The answer to a request that changes while the user types: sent again a moment after the last change; the previous
 * answer stays until then. null without a request.
 */
export function useDebouncedQuery<R, T>(
  request: R | null,
  ask: (request: R) => Promise<Answer<T>>,
): Loadable<T> | null {
  const [answer, setAnswer] = useState<Loadable<T> | null>(null);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (key === null || request === null) {
      setAnswer(null);
      return;
    }
    let over = false;
    setAnswer((before) => before ?? LOADING);
    const timer = setTimeout(async () => {
      const result = await ask(request);
      if (!over) setAnswer(loaded(result));
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
    // Depends on the content of the request, not on its identity.
  }, [key]);
  return answer;
}
