import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { OpenBundleButton, useOpenBundle } from '../shared/reports/index';
import { useStudies, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen } from '../widgets/index';
import { StudyList } from './study-list';
import { TrashDialog } from './trash-dialog';

/** All studies, with the buttons for a new one and for opening another lab's bundle. */
export function StudiesScreen() {
  const studies = useStudies();
  const { location, studies: store } = useWorkbench();
  const [isTrashOpen, setTrashOpen] = useState(false);
  const bundle = useOpenBundle(({ studyIds, experimentIds = [] }) => {
    const [first] = studyIds;
    const [experimentId] = experimentIds;
    if (first !== undefined) location.go({ kind: 'study', studyId: first });
    else if (experimentId !== undefined) location.go({ kind: 'experiment', experimentId });
  });
  const actions = (
    <>
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Trash"
        title="Removed studies, to restore"
        onClick={() => setTrashOpen(true)}
      >
        <IconTrash size={15} stroke={1.6} />
      </ActionIcon>
      {isTrashOpen && <TrashDialog onClose={() => setTrashOpen(false)} />}
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
