import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import { readyValue, useBenchmarks, useRecordings, type WorkbenchState } from '../state/index';
import { plural } from '../widgets/index';

type Item = { readonly id: string; readonly name: string; readonly about: string };

/** Benchmarks and recordings as the palette names them. */
export type LibraryEntries = { readonly benchmarks: readonly Item[]; readonly recordings: readonly Item[] };

/** The same object while names and sizes are. */
export function useLibraryEntries(): LibraryEntries {
  const benchmarks = (readyValue(useBenchmarks()) ?? []).map(({ id, name, problems }) => ({
    id,
    name,
    about: plural(problems, 'problem'),
  }));
  const recordings = (readyValue(useRecordings()) ?? []).map(({ id, name, benchmarkId }) => ({
    id,
    name,
    about: `of ${benchmarkId}`,
  }));
  const key = JSON.stringify({ benchmarks, recordings });
  return useMemo(() => ({ benchmarks, recordings }), [key]);
}

export function libraryActions(
  { location }: WorkbenchState,
  { benchmarks, recordings }: LibraryEntries,
): readonly SpotlightActionData[] {
  return [
    ...benchmarks.map(({ id, name, about }) => ({
      id: `benchmark-${id}`,
      group: 'Library',
      label: `Benchmark: ${name}`,
      description: about,
      keywords: [id],
      onClick: () => location.go({ kind: 'benchmark', benchmarkId: id, problemId: null }),
    })),
    ...recordings.map(({ id, name, about }) => ({
      id: `recording-${id}`,
      group: 'Library',
      label: `Recording: ${name}`,
      description: about,
      keywords: [id],
      onClick: () => location.go({ kind: 'library' }),
    })),
  ];
}
