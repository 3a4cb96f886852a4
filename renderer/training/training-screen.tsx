import { useHotkeys } from '@mantine/hooks';
import { Suspense } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import { ScaleTag } from '../shared/studies/index';
import {
  type JobLogsComponent,
  type LogPaneComponent,
  pathOf,
  readyValue,
  TRAINING_TABS,
  type TrainingTab,
  useCheckpoints,
  useJobs,
  useMachineFile,
  useTraining,
  useWorkbench,
} from '../state/index';
import { mayWriteMore } from '../text/jobs';
import { trainingStatus } from '../text/trainings';
import { DetailScreen, EmptyState, LoadingState, NavTabs, Screen, StateMark } from '../widgets/index';
import { Checkpoints } from './checkpoints';
import { Evaluation } from './evaluation';
import { LearningCurves } from './learning-curves';
import { Rollouts } from './rollouts';
import styles from './training.module.css';
import { TrainingActions } from './training-actions';
import { TrainingHead } from './training-head';
import { TrainingSettings } from './training-settings';

const TAB_LABELS: Readonly<Record<TrainingTab, string>> = {
  curves: 'Curves',
  checkpoints: 'Checkpoints',
  rollouts: 'Rollouts',
  evaluation: 'Evaluation',
  log: 'Log',
  order: 'Settings',
};

/** One training with its tabs. */
export function TrainingScreen(props: {
  readonly trainingId: string;
  readonly tab: TrainingTab;
  readonly JobLogs: JobLogsComponent;
  readonly LogPane: LogPaneComponent;
}) {
  const training = useTraining(props.trainingId);
  const { trainings } = useWorkbench();
  return (
    <DetailScreen
      noun="training"
      loadable={training}
      reload={() => void trainings.load()}
      list={{ label: 'All trainings', href: `#${pathOf({ kind: 'trainings' })}` }}
      missingHint="It may have been removed."
    >
      {(view) => (
        <OneTraining training={view} tab={props.tab} JobLogs={props.JobLogs} LogPane={props.LogPane} />
      )}
    </DetailScreen>
  );
}

function OneTraining(props: {
  readonly training: TrainingView;
  readonly tab: TrainingTab;
  readonly JobLogs: JobLogsComponent;
  readonly LogPane: LogPaneComponent;
}) {
  const { training, tab, JobLogs, LogPane } = props;
  const { id } = training;
  const checkpoints = readyValue(useCheckpoints(id))?.length ?? 0;
  useTabKeys(id);
  const numbers: Partial<Record<TrainingTab, number>> = { checkpoints };
  return (
    <Screen
      title={training.name}
      aside={
        <>
          <StateMark {...trainingStatus(training)} />
          <ScaleTag scale={training.scale} />
        </>
      }
      actions={<TrainingActions training={training} />}
      below={
        <>
          <TrainingHead training={training} />
          <div className={styles.tabs}>
            <NavTabs
              label="Parts of the training"
              current={tab}
              tabs={TRAINING_TABS.map((option) => ({
                id: option,
                label: TAB_LABELS[option],
                href: `#${pathOf({ kind: 'training', trainingId: id, tab: option })}`,
                number: numbers[option] ?? 0,
              }))}
            />
          </div>
        </>
      }
      fill
    >
      {tab === 'curves' && <LearningCurves training={training} />}
      {tab === 'checkpoints' && <Checkpoints training={training} />}
      {tab === 'rollouts' && <Rollouts training={training} />}
      {tab === 'evaluation' && <Evaluation training={training} />}
      {tab === 'log' && <TrainingLog training={training} JobLogs={JobLogs} LogPane={LogPane} />}
      {tab === 'order' && <TrainingSettings training={training} />}
    </Screen>
  );
}

/** The log of the training's job, or the newest of those that are read of a run that others started. */
function TrainingLog(props: {
  readonly training: TrainingView;
  readonly JobLogs: JobLogsComponent;
  readonly LogPane: LogPaneComponent;
}) {
  const { training, JobLogs, LogPane } = props;
  const { jobId, name, state, spec, machineId } = training;
  const watched = spec.kind === 'watched' ? spec.logs.at(-1) : undefined;
  const job = (readyValue(useJobs()) ?? []).find(({ id }) => id === jobId);
  if (watched !== undefined) {
    return <WatchedLog key={watched} machineId={machineId} path={watched} LogPane={LogPane} />;
  }
  if (jobId === null) {
    return (
      <div className={styles.padded}>
        <EmptyState title="No log yet">The log starts with its job.</EmptyState>
      </div>
    );
  }
  return (
    <Suspense fallback={<LoadingState text="Opening the log" />}>
      <JobLogs
        jobId={jobId}
        name={name}
        hasSetUp={(job?.setUp ?? '').trim() !== ''}
        size={job?.logBytes ?? 0}
        live={mayWriteMore(state)}
      />
    </Suspense>
  );
}

function WatchedLog(props: {
  readonly machineId: string;
  readonly path: string;
  readonly LogPane: LogPaneComponent;
}) {
  const { machineId, path, LogPane } = props;
  const source = useMachineFile(machineId, path);
  return (
    <Suspense fallback={<LoadingState text="Opening the log" />}>
      <LogPane label={path} source={source} size={0} live />
    </Suspense>
  );
}

/** Digit keys switch between the tabs. */
function useTabKeys(trainingId: string): void {
  const { location } = useWorkbench();
  useHotkeys(
    TRAINING_TABS.map((tab, at) => [
      String(at + 1),
      () => location.go({ kind: 'training', trainingId, tab }, { replace: true }),
    ]),
  );
}
