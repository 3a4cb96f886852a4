import { useCallback, useRef, useState } from 'react';
import type { LogSource } from '../state/index';
import type { MachineSearch } from './log-matches';

/** Search of the whole file on its machine. */
export function useMachineSearch(
  source: LogSource,
): readonly [
  MachineSearch | null,
  { readonly find: (text: string) => void; readonly more: () => void; readonly close: () => void },
] {
  const [search, setSearch] = useState<MachineSearch | null>(null);
  const request = useRef(0);
  const ask = useCallback(
    async (text: string, before: MachineSearch['matches'], offset: number): Promise<void> => {
      if (source.search === null) return;
      request.current += 1;
      const own = request.current;
      setSearch({ text, matches: before, isComplete: false, busy: true, failure: null });
      const answer = await source.search(text, offset);
      if (own !== request.current) return;
      if (!answer.ok) {
        const failure =
          answer.error.code === 'cancelled' ? 'The search was cancelled.' : answer.error.message;
        setSearch({ text, matches: before, isComplete: false, busy: false, failure });
        return;
      }
      const { matches, isComplete } = answer.value;
      setSearch({ text, matches: [...before, ...matches], isComplete, busy: false, failure: null });
    },
    [source],
  );
  return [
    search,
    {
      find: (text) => void ask(text, [], 0),
      more: () => {
        const last = search?.matches.at(-1);
        if (search !== null && last !== undefined) void ask(search.text, search.matches, last.offset + 1);
      },
      close: () => {
        request.current += 1;
        if (search?.busy === true) source.cancelSearch();
        setSearch(null);
      },
    },
  ];
}
