import { mapLoadable, useStudy, useWorkbench } from '../state/index';
import { DetailScreen } from '../widgets/index';
import { RunPanes } from './run-panes';
import type { RunRoute } from './use-run-trees';

export function RunScreen(props: { readonly route: RunRoute }) {
  const { route } = props;
  const study = useStudy(route.studyId);
  const { studies } = useWorkbench();
  const sought = mapLoadable(study, (view) => {
    const run = view?.study.runs.find(({ id }) => id === route.runId);
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
      {(data) => <RunPanes {...data} route={route} />}
    </DetailScreen>
  );
}
