import { useEffect, useState } from 'react';
import type { Answer } from '../../preload/contract/refusal';
import { LOADING, type Loadable, loaded } from './loadable';

/** Milliseconds without a change before main is asked. */
const PAUSE_MS = 400;

/**
 * What main says of something that is being typed: asked again a moment after it changes, and what was said before stays
 * until then. null while there is nothing to ask about.
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
    // The key is what the request says: another object of the same words is no reason to ask again.
  }, [key]);
  return answer;
}
