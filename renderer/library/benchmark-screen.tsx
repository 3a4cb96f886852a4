import { Button } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import {
  matchingProblems,
  NO_PROBLEM_LIST_FILTER,
  type ProblemListFilter,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import { ProblemTextView } from '../shared/problems/index';
import { BenchmarkTag } from '../shared/studies/index';
import {
  type Loadable,
  mapLoadable,
  pathOf,
  useBenchmarks,
  useProblemList,
  useWorkbench,
} from '../state/index';
import { DetailScreen, FailedState, FilteredRows, LoadingState, Screen } from '../widgets/index';
import styles from './benchmark.module.css';
import { ItemMenu, useItemActions } from './item-menu';
import { MarkShown } from './mark-shown';
import { ProblemFilters } from './problem-filters';
import { ProblemTable } from './problem-table';

const LIBRARY = `#${pathOf({ kind: 'library' })}`;

/** The problems of a benchmark: a list to search and mark, and the chosen one to read beside it. */
export function BenchmarkScreen(props: { readonly benchmarkId: string; readonly problemId: string | null }) {
  const { benchmarkId, problemId } = props;
  const { benchmarks } = useWorkbench();
  const benchmark: Loadable<Benchmark | null> = mapLoadable(
    useBenchmarks(),
    (all) => all.find(({ id }) => id === benchmarkId) ?? null,
  );
  return (
    <DetailScreen
      noun="benchmark"
      loadable={benchmark}
      reload={benchmarks.refreshAll}
      list={{ label: 'All benchmarks', href: LIBRARY }}
      missingHint="It may have been removed from the library."
    >
      {(found) => <OpenBenchmark benchmark={found} problemId={problemId} />}
    </DetailScreen>
  );
}

function OpenBenchmark(props: { readonly benchmark: Benchmark; readonly problemId: string | null }) {
  const { benchmark, problemId } = props;
  const { id, name, scale } = benchmark;
  const { actions, dialogs } = useItemActions({ kind: 'benchmark', id }, name);
  return (
    <Screen
      title={
        <span className={styles.title}>
          <a href={LIBRARY}>Library</a> / {name}
        </span>
      }
      aside={<BenchmarkTag scale={scale} />}
      actions={
        <>
          <Button component="a" variant="default" href={`#${pathOf({ kind: 'new-study', benchmarkId: id })}`}>
            New study
          </Button>
          <ItemMenu actions={actions} name={name} size={30} />
          {dialogs}
        </>
      }
      fill
    >
      <Problems benchmark={benchmark} problemId={problemId} />
    </Screen>
  );
}

function Problems(props: { readonly benchmark: Benchmark; readonly problemId: string | null }) {
  const { benchmark, problemId } = props;
  const { location } = useWorkbench();
  const list = useProblemList(benchmark);
  const [filter, setFilter] = useState<ProblemListFilter>(NO_PROBLEM_LIST_FILTER);
  // Typing stays quick where thousands of rows are searched.
  const applied = useDeferredValue(filter);
  const all = list.kind === 'ready' ? list.value : null;
  const shown = useMemo(
    () => (all === null ? [] : matchingProblems(all, benchmark.marks, applied)),
    [all, benchmark.marks, applied],
  );
  // The first of all, not of what is shown: else every letter typed would load another one.
  const read = problemId ?? all?.[0]?.id ?? null;
  const choose = (chosen: string): void =>
    location.go({ kind: 'benchmark', benchmarkId: benchmark.id, problemId: chosen }, { replace: true });
  if (list.kind === 'failed') {
    return (
      <FailedState
        title="The problems could not be read"
        message={list.error.message}
        hint={list.error.hint}
      />
    );
  }
  if (all === null) return <LoadingState text="Loading the problems" />;
  return (
    <div className={styles.columns}>
      <div className={styles.list}>
        <div className={styles.filters}>
          <ProblemFilters problems={all} marks={benchmark.marks} filter={filter} onFilter={setFilter} />
        </div>
        <MarkShown benchmark={benchmark} shown={shown} only={applied.only} />
        <FilteredRows
          shown={shown.length}
          total={all.length}
          nouns="problems"
          onShowAll={() => setFilter(NO_PROBLEM_LIST_FILTER)}
        >
          <ProblemTable benchmark={benchmark} problems={shown} chosen={read} onChoose={choose} />
        </FilteredRows>
      </div>
      <section key={read} className={styles.reader} aria-label="Problem">
        {read !== null && <ProblemTextView benchmarkId={benchmark.id} problemId={read} />}
      </section>
    </div>
  );
}
