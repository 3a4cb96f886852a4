import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useOpenBundle, useStudies, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, OpenBundleButton, Screen } from '../widgets/index';
import { StudyList } from './study-list';

/** Every study, and the ways to a new one: composed here, or out of another lab's bundle. */
export function StudiesScreen() {
  const studies = useStudies();
  const { location, studies: store } = useWorkbench();
  const bundle = useOpenBundle(({ studyIds }) => {
    const [first] = studyIds;
    if (first !== undefined) location.go({ kind: 'study', studyId: first });
  });
  const actions = (
    <>
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
      {studies.kind === 'loading' && <LoadingState what="Reading the studies" />}
      {studies.kind === 'failed' && (
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Read again', run: () => void store.load() }}
        />
      )}
      {studies.kind === 'ready' && (
        <EmptyState title="No studies yet" action={<a href="#/">Go to Home</a>}>
          A study compares configurations of agents on the same problems. The quickstart study on the home
          screen is a first one; a new study is composed from what the library has.
        </EmptyState>
      )}
    </Screen>
  );
}
