import { useStudy, useWorkbench } from '../state/index';
import { EmptyState, FailedState, LoadingState, Screen } from '../widgets/index';
import { RunPanes } from './run-panes';
import type { RunPlace } from './run-place';

export function RunScreen(props: { readonly place: RunPlace }) {
  const { place } = props;
  const study = useStudy(place.studyId);
  const { studies } = useWorkbench();
  if (study.kind === 'loading') return <LoadingState what="Reading the run" />;
  if (study.kind === 'failed') {
    return (
      <Screen title="Run">
        <FailedState
          title="The run could not be read"
          message={study.error.message}
          hint={study.error.hint}
          action={{ label: 'Read again', run: () => void studies.load() }}
        />
      </Screen>
    );
  }
  const run = study.value?.study.runs.find(({ id }) => id === place.runId);
  if (study.value === null || run === undefined) {
    return (
      <Screen title="Run">
        <EmptyState title="There is no such run" action={<a href="#/studies">All studies</a>}>
          Its study may have been removed.
        </EmptyState>
      </Screen>
    );
  }
  return <RunPanes view={study.value} run={run} place={place} />;
}
