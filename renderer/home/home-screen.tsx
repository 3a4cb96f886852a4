import { readyValue, useReproductions, useStudies, useWorkbench } from '../state/index';
import { FailedState, LoadingState, Screen } from '../widgets/index';
import { FirstStart } from './first-start';
import { Overview } from './overview';

/** At the first start: run the quickstart; later: what runs, ended or failed, and why. */
export function HomeScreen() {
  const studies = useStudies();
  const reproductions = readyValue(useReproductions())?.length ?? 0;
  const { studies: store } = useWorkbench();
  if (studies.kind === 'loading') {
    return (
      <div style={{ padding: '0 24px' }}>
        <LoadingState text="Loading the studies" />
      </div>
    );
  }
  if (studies.kind === 'failed') {
    return (
      <Screen title="Home">
        <FailedState
          title="The studies could not be read"
          message={studies.error.message}
          hint={studies.error.hint}
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      </Screen>
    );
  }
  // A reproduction trains first, so for minutes there are no studies.
  return studies.value.length + reproductions === 0 ? <FirstStart /> : <Overview studies={studies.value} />;
}
