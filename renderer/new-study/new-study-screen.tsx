import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { useLibrary } from '../shared/agents/index';
import {
  type DraftKey,
  lastCreatedStudy,
  readyValue,
  useFormDraft,
  useStudies,
  useWorkbench,
} from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen, usePress } from '../widgets/index';
import { Composer } from './composer';
import { copyOfStudy } from './study-copy';
import { draftOf, type StudyEdits, withBenchmark, withPreset } from './study-draft';

/** What the user changed in the form. */
const EDITS: DraftKey<StudyEdits> = { name: 'new-study', empty: {} };

/** The form for a new study on a benchmark of the library. */
export function NewStudyScreen(props: {
  /** From the route; null: keep the draft's. */
  readonly benchmarkId: string | null;
  /** Search preset from the route; null: keep the draft's. */
  readonly preset: string | null;
  /** A study to copy, from the route; null: keep the draft. */
  readonly from: string | null;
}) {
  const { benchmarkId, preset, from } = props;
  const [edits, saveEdits] = useFormDraft(EDITS);
  const library = useLibrary();
  const { benchmarks, recordings, location } = useWorkbench();

  // The default is that of the first look: a benchmark that comes into the library meanwhile must not take its place.
  const [shown, setShown] = useState<string | null>(null);
  const draft =
    library.kind === 'ready'
      ? draftOf({ ...(shown !== null && { benchmarkId: shown }), ...edits }, library.value)
      : null;
  const before = draft?.benchmarkId;
  useEffect(() => setShown((first) => first ?? before ?? null), [before]);
  const onEdits = useCallback(
    (next: StudyEdits): void => {
      const isReset = Object.keys(next).length === 0 || before === undefined;
      saveEdits(isReset ? next : { benchmarkId: before, ...next });
    },
    [saveEdits, before],
  );
  const readyLibrary = library.kind === 'ready' ? library.value : null;

  const studies = readyValue(useStudies());
  const copy = useCallback(
    (view: StudyView): void => {
      if (readyLibrary === null) return;
      onEdits(copyOfStudy(view, readyLibrary));
    },
    [readyLibrary, onEdits],
  );
  const copiedFrom = useRef<string | null>(null);
  useEffect(() => {
    if (from === null) copiedFrom.current = null;
    // The route names it until its next change.
    if (from === copiedFrom.current || from === null || studies === null || readyLibrary === null) return;
    copiedFrom.current = from;
    const view = studies.find(({ study }) => study.id === from);
    if (view !== undefined) copy(view);
    location.go({ kind: 'new-study', benchmarkId: null }, { replace: true });
  }, [from, studies, readyLibrary, copy, location]);
  const last = studies?.find(({ study }) => study.id === lastCreatedStudy());

  // The route chooses once; after that the field does.
  useEffect(() => {
    if ((benchmarkId === null && preset === null) || before === undefined) return;
    const moved = benchmarkId === null ? edits : withBenchmark(edits, before, benchmarkId);
    const benchmark = readyLibrary?.benchmarks.find(({ id }) => id === (benchmarkId ?? before));
    onEdits(preset === null ? moved : withPreset(moved, preset, benchmark));
    location.go({ kind: 'new-study', benchmarkId: null }, { replace: true });
  }, [benchmarkId, preset, before, readyLibrary, edits, onEdits, location]);

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
          onAsLastTime={last === undefined || Object.keys(edits).length > 0 ? null : () => copy(last)}
        />
      );
    }
  }
  return (
    <Screen title="New study">
      {library.kind === 'loading' && <LoadingState text="Loading the library" />}
      {library.kind === 'failed' && (
        <FailedState
          title="The library could not be read"
          message={library.error.message}
          hint={library.error.hint}
          action={{
            label: 'Try again',
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
