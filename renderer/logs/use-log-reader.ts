import { useEffect, useRef, useState } from 'react';
import type { LogSource } from '../state/index';
import { LogReader } from './log-reader';
import type { LogView } from './log-view';

/** The reader of the log, null before the first frame, and its view. */
export function useLogReader(
  source: LogSource,
  size: number,
  live: boolean,
): readonly [LogReader | null, LogView] {
  const [reader, setReader] = useState<LogReader | null>(null);
  const [view, setView] = useState<LogView>(NOTHING);
  const first = useRef({ size, live });
  useEffect(() => {
    const made = new LogReader({
      read: source.read,
      onChange: setView,
      now: () => Date.now(),
      later: (call, ms) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    });
    made.start(first.current.size, first.current.live);
    setReader(made);
    return () => made.dispose();
  }, [source]);
  useEffect(() => reader?.sizeChanged(size, live), [reader, size, live]);
  return [reader, view];
}

const NOTHING: LogView = {
  items: [],
  from: 0,
  to: 0,
  size: 0,
  leftOut: null,
  copy: null,
  follows: true,
  loading: 'elsewhere',
  failure: null,
  target: null,
};
