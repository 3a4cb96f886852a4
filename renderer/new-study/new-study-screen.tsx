import { Button } from '@mantine/core';
import { useEffect } from 'react';
import {
  type Loadable,
  readyValue,
  useBenchmarks,
  useLaunches,
  useRecordings,
  useWorkbench,
} from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen, usePress } from '../widgets/index';
import type { Library } from './agents';
import { Composer } from './composer';
import { draftOf, type StudyEdits, withBenchmark, withPreset } from './study-draft';

/** The form over what the library has. The draft is the caller's, so it outlives a look at another screen. */
export function NewStudyScreen(props: {
  /** The benchmark of the address; null: the draft's own. */
  readonly benchmarkId: string | null;
  /** The way of searching of the address; null: the draft's own. */
  readonly preset: string | null;
  readonly edits: StudyEdits;
  readonly onEdits: (edits: StudyEdits) => void;
}) {
  const { benchmarkId, preset, edits, onEdits } = props;
  // Launches are a part of few studies: a list that cannot be read must not keep one from the form.
  const library = loadedLibrary(useBenchmarks(), useRecordings(), readyValue(useLaunches()) ?? NO_LAUNCHES);
  const { benchmarks, recordings, launches, location } = useWorkbench();
  // The terminal may have saved some since they were read, of which nobody tells the window.
  useEffect(() => launches.list.refreshAll(), [launches]);

  const draft = library.kind === 'ready' ? draftOf(edits, library.value) : null;
  const before = draft?.benchmarkId;
  const known = library.kind === 'ready' ? library.value : null;

  // The address chooses once; after that the field does, and the address says no more.
  useEffect(() => {
    if ((benchmarkId === null && preset === null) || before === undefined) return;
    const moved = benchmarkId === null ? edits : withBenchmark(edits, before, benchmarkId);
    const benchmark = known?.benchmarks.find(({ id }) => id === (benchmarkId ?? before));
    onEdits(preset === null ? moved : withPreset(moved, preset, benchmark));
    location.go({ kind: 'new-study', benchmarkId: null }, { replace: true });
  }, [benchmarkId, preset, before, known, edits, onEdits, location]);

  if (library.kind === 'ready') {
    const benchmark = library.value.benchmarks.find(({ id }) => id === draft?.benchmarkId);
    if (draft !== null && benchmark !== undefined) {
      return (
        <Composer
          draft={draft}
          benchmark={benchmark}
          library={library.value}
          edits={edits}
          onEdits={onEdits}
        />
      );
    }
  }
  return (
    <Screen title="New study">
      {library.kind === 'loading' && <LoadingState what="Reading the library" />}
      {library.kind === 'failed' && (
        <FailedState
          title="The library could not be read"
          message={library.error.message}
          hint={library.error.hint}
          action={{
            label: 'Read again',
            run: () => {
              benchmarks.refreshAll();
              recordings.refreshAll();
            },
          }}
        />
      )}
      {library.kind === 'ready' && <NoBenchmark />}
    </Screen>
  );
}

function NoBenchmark() {
  const { libraryCommands, studyCommands } = useWorkbench();
  const importing = usePress(async () => void (await libraryCommands.importBenchmark()));
  const starting = usePress(studyCommands.startQuickstart);
  return (
    <EmptyState
      title="A study needs a benchmark"
      action={
        <>
          <Button loading={importing.busy} onClick={importing.press}>
            Import benchmark
          </Button>
          <Button variant="default" loading={starting.busy} onClick={starting.press}>
            Run the quickstart study
          </Button>
        </>
      }
    >
      HumanEval is imported from its file (HumanEval.jsonl or HumanEval.jsonl.gz). The quickstart study makes
      the pocket benchmark, which later studies can use as well.
    </EmptyState>
  );
}

const NO_LAUNCHES: Library['launches'] = [];

function loadedLibrary(
  benchmarks: Loadable<Library['benchmarks']>,
  recordings: Loadable<Library['recordings']>,
  launches: Library['launches'],
): Loadable<Library> {
  if (benchmarks.kind !== 'ready') return benchmarks;
  if (recordings.kind !== 'ready') return recordings;
  return { kind: 'ready', value: { benchmarks: benchmarks.value, recordings: recordings.value, launches } };
}
