import { useMemo, useState } from 'react';
import type { LogItem } from './log-lines';
import { matchBeyond, type StepDirection } from './match-steps';

/** A text that is looked for among the loaded lines. */
export type LogFind = {
  readonly term: string;
  /** The term in lower case. */
  readonly marked: string;
  /** Only lines that match are shown. */
  readonly filters: boolean;
  /** The shown items, and which of them match. */
  readonly items: readonly LogItem[];
  readonly matchLines: readonly number[];
  /** Index of the current match, or -1. */
  readonly at: number;
  readonly setTerm: (term: string) => void;
  readonly setFilters: (filters: boolean) => void;
  /** Whether there is a match on that side of the current one. */
  readonly hasMatch: (direction: StepDirection) => boolean;
  /** Goes to the next match, or from the last one to the first. */
  readonly step: (direction: StepDirection) => void;
  /** Makes this match the current one, among all lines. */
  readonly showMatch: (term: string, offset: number) => void;
};

/** `onStep`: brings the item at this index into view. */
export function useLogFind(all: readonly LogItem[], onStep: (position: number) => void): LogFind {
  const [term, setTerm] = useState('');
  const [filters, setFilters] = useState(false);
  const [current, setCurrent] = useState<number | null>(null);
  const marked = term.toLowerCase();
  const items = useMemo(
    () => (filters && marked !== '' ? all.filter((item) => matches(item, marked)) : all),
    [all, filters, marked],
  );
  const matchLines = useMemo(
    () =>
      marked === ''
        ? []
        : items.flatMap((item, at) => (item.kind === 'line' && matches(item, marked) ? [at] : [])),
    [items, marked],
  );
  const at = current === null ? -1 : items.findIndex(({ offset }) => offset === current);
  return {
    term,
    marked,
    filters,
    items,
    matchLines,
    at,
    setTerm: (text) => {
      setTerm(text);
      setCurrent(null);
    },
    setFilters,
    hasMatch: (direction) => matchBeyond(matchLines, at, direction) !== undefined,
    step: (direction) => {
      const next = matchBeyond(matchLines, at, direction) ?? matchLines.at(direction === 1 ? 0 : -1);
      if (next === undefined) return;
      setCurrent(items[next]?.offset ?? null);
      onStep(next);
    },
    showMatch: (text, offset) => {
      setFilters(false);
      setTerm(text);
      setCurrent(offset);
    },
  };
}

function matches(item: LogItem, marked: string): boolean {
  return item.kind === 'skipped' || item.text.toLowerCase().includes(marked);
}
