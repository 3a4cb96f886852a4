import { mapLoadable, useStudy, useWorkbench } from '../state/index';
import { DetailScreen } from '../widgets/index';
import { RunPanes } from './run-panes';
import type { RunPlace } from './use-run-trees';

export function RunScreen(props: { readonly place: RunPlace }) {
  const { place } = props;
  const study = useStudy(place.studyId);
  const { studies } = useWorkbench();
  const sought = mapLoadable(study, (view) => {
    const run = view?.study.runs.find(({ id }) => id === place.runId);
    return view === null || run === undefined ? null : { view, run };
  });
  return (
    <DetailScreen
      noun="run"
      loadable={sought}
      reload={() => void studies.load()}
      list={{ label: 'All studies', href: '#/studies' }}
      missingHint="Its study may have been removed."
    >
      {(found) => <RunPanes {...found} place={place} />}
    </DetailScreen>
  );
}
