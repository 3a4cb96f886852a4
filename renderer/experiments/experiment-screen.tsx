import { useHotkeys } from '@mantine/hooks';
import type { ExperimentView } from '../../preload/contract/experiment';
import { experimentScale } from '../../preload/contract/plans/index';
import { ScaleTag } from '../shared/studies/index';
import { readyValue, useExperiment, useExperimentResult, useWorkbench } from '../state/index';
import { experimentStatus } from '../text/trainings';
import {
  ConclusionList,
  DetailScreen,
  ErrorNote,
  FailedState,
  Screen,
  Section,
  StateMark,
} from '../widgets/index';
import { CurvesSection } from './curves-section';
import { ExperimentButtons, ExperimentFacts, ExperimentProgress } from './experiment-header';
import styles from './experiments.module.css';
import { PairsSection } from './pairs-section';
import { ProgressGrid } from './progress-grid';
import { ResultsSection } from './results-section';

type Props = { readonly experimentId: string; readonly dialog?: 'export' | undefined };

/** One experiment: progress, results, conclusions and curves. */
export function ExperimentScreen({ experimentId, dialog }: Props) {
  const view = useExperiment(experimentId);
  const { experiments } = useWorkbench();
  return (
    <DetailScreen
      noun="experiment"
      loadable={view}
      reload={() => void experiments.load()}
      list={{ label: 'All experiments', href: '#/experiments' }}
      missingHint="It may have been removed."
    >
      {(experiment) => <LiveExperiment view={experiment} dialog={dialog} />}
    </DetailScreen>
  );
}

function LiveExperiment({ view, dialog }: Pick<Props, 'dialog'> & { readonly view: ExperimentView }) {
  const { state } = view;
  const { trainingResources, experiments } = useWorkbench();
  // There is no result before the first training is done.
  const loaded = useExperimentResult(view.done === 0 ? null : view.id);
  const result = readyValue(loaded);
  useHotkeys([
    [
      'p',
      () => {
        if (view.fromBundle !== undefined) return;
        if (state.kind === 'running') void experiments.pause(view.id);
        else if (state.kind !== 'done') void experiments.resume(view.id);
      },
    ],
  ]);
  return (
    <Screen
      title={view.order.name}
      aside={
        <>
          <ScaleTag scale={experimentScale(view.order)} />
          <StateMark {...experimentStatus(view)} />
        </>
      }
      actions={<ExperimentButtons view={view} dialog={dialog} />}
      below={
        <>
          <ExperimentFacts view={view} />
          <ExperimentProgress view={view} />
          {state.kind === 'failed' && <ErrorNote message={state.message} />}
        </>
      }
    >
      <div className={styles.parts}>
        {view.done === 0 && <ProgressGrid view={view} />}
        {loaded.kind === 'failed' ? (
          <FailedState
            title="The results could not be calculated"
            message={loaded.error.message}
            hint={loaded.error.hint}
            action={{ label: 'Try again', run: () => trainingResources.results.refresh(view.id) }}
          />
        ) : (
          <ResultsSection view={view} result={result} />
        )}
        {view.done > 0 && (
          <div className={styles.lower}>
            <Section title="What can be said">
              <ConclusionList
                label="What can be said"
                sentences={result?.sentences ?? []}
                chips={result?.chips}
                empty="No conclusions yet."
              />
            </Section>
            <ProgressGrid view={view} />
          </div>
        )}
        <CurvesSection view={view} />
        <PairsSection view={view} pairs={result?.pairs ?? []} />
      </div>
    </Screen>
  );
}
