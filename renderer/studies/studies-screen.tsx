import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { exhibitLosses } from '../../preload/contract/plans/index';
import { OpenBundleButton, useOpenBundle } from '../shared/reports/index';
import { TrashButton, useTrashOpen } from '../shared/trash/index';
import { readyValue, useExhibits, useStudies, useWorkbench } from '../state/index';
import { bytes, EmptyState, FailedState, LoadingState, Screen } from '../widgets/index';
import { StudyList } from './study-list';

/** All studies, with the buttons for a new one and for opening another lab's bundle. */
export function StudiesScreen() {
  const studies = useStudies();
  const { location, studies: store, studyCommands } = useWorkbench();
  const trash = useTrashOpen();
  const exhibits = readyValue(useExhibits())?.exhibits ?? [];
  const bundle = useOpenBundle(({ studyIds, experimentIds = [] }) => {
    const [first] = studyIds;
    const [experimentId] = experimentIds;
    if (first !== undefined) location.go({ kind: 'study', studyId: first });
    else if (experimentId !== undefined) location.go({ kind: 'experiment', experimentId });
  });
  const actions = (
    <>
      <TrashButton
        {...trash}
        what="studies"
        hint="Removed studies with their journals, until you delete them here."
        list={async () => (await studyCommands.trash())?.map((one) => ({ ...one, id: one.studyId })) ?? null}
        restore={studyCommands.restore}
        deleteForGood={studyCommands.deleteForGood}
        question={({ id, bytes: size }) =>
          `Its journals, ${bytes(size)}, are deleted. ${exhibitLosses({ kind: 'study', id }, exhibits)}`
        }
      />
      <OpenBundleButton {...bundle} />
      <Button
        title="New study (Ctrl+N)"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => location.go({ kind: 'new-study', benchmarkId: null })}
      >
        New study
      </Button>
    </>
  );
  if (studies.kind === 'ready' && studies.value.length > 0) {
    return <StudyList views={studies.value} actions={actions} />;
  }
  return (
    <Screen title="Studies" actions={actions}>
      {studies.kind === 'loading' && <LoadingState text="Loading the studies" />}
      {studies.kind === 'failed' && (
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      )}
      {studies.kind === 'ready' && (
        <EmptyState title="No studies yet" action={<a href="#/">Go to Home</a>}>
          A study compares configurations of agents on the same problems. Start with the quickstart study on
          the Home screen, or create a new study from the benchmarks in the library.
        </EmptyState>
      )}
    </Screen>
  );
}
