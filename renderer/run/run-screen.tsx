import { mapLoadable, useStudy, useWorkbench } from '../state/index';
import { FoundScreen } from '../widgets/index';
import { RunPanes } from './run-panes';
import type { RunPlace } from './run-place';

export function RunScreen(props: { readonly place: RunPlace }) {
  const { place } = props;
  const study = useStudy(place.studyId);
  const { studies } = useWorkbench();
  const sought = mapLoadable(study, (view) => {
    const run = view?.study.runs.find(({ id }) => id === place.runId);
    return view === null || run === undefined ? null : { view, run };
  });
  return (
    <FoundScreen
      noun="run"
      sought={sought}
      readAgain={() => void studies.load()}
      all={{ label: 'All studies', href: '#/studies' }}
      gone="Its study may have been removed."
    >
      {(found) => <RunPanes {...found} place={place} />}
    </FoundScreen>
  );
}
