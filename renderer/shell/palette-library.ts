import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';
import type { StudyView } from '../../preload/contract/study';
import {
  problemKey,
  readyValue,
  useBenchmarks,
  useProblemList,
  useRecordings,
  type WorkbenchState,
} from '../state/index';
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

/** By `problemKey`; a problem whose title is its id has none. */
export type ProblemTitles = ReadonlyMap<string, string>;

/**
 * Titles of the problems of three benchmarks, as many as the window keeps lists of: those of the first studies. null: not
 * needed now.
 */
export function useProblemTitles(studies: readonly StudyView[] | null): ProblemTitles {
  const benchmarks = readyValue(useBenchmarks()) ?? [];
  const used = [...new Set((studies ?? []).flatMap(({ study }) => study.runs.map((run) => run.benchmarkId)))];
  const known = used.flatMap((id) => benchmarks.find((benchmark) => benchmark.id === id) ?? []);
  const outlines = [
    readyValue(useProblemList(known[0] ?? null)),
    readyValue(useProblemList(known[1] ?? null)),
    readyValue(useProblemList(known[2] ?? null)),
  ];
  return useMemo(
    () =>
      new Map(
        outlines.flatMap((problems, at) =>
          (problems ?? [])
            .filter(({ id, title }) => title !== id)
            .map(({ id, title }): [string, string] => [problemKey(known[at]?.id ?? '', id), title]),
        ),
      ),
    outlines,
  );
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
