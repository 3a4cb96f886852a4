import type { TrainingView } from '../../preload/contract/training';
import {
  addressOf,
  type JobLogsComponent,
  readyValue,
  TRAINING_TABS,
  type TrainingTab,
  trainingWords,
  useCheckpoints,
  useTraining,
  useWorkbench,
} from '../state/index';
import { FoundScreen, PlaceTabs, ScaleTag, Screen, StateMark } from '../widgets/index';
import { Checkpoints } from './checkpoints';
import { Evaluation } from './evaluation';
import { LearningCurves } from './learning-curves';
import { Order } from './order';
import { Rollouts } from './rollouts';
import styles from './training.module.css';
import { TrainingActions } from './training-actions';
import { TrainingHead } from './training-head';
import { TrainingLog } from './training-log';
import { useTabKeys } from './use-tab-keys';

const TAB_WORDS: Readonly<Record<TrainingTab, string>> = {
  curves: 'Curves',
  checkpoints: 'Checkpoints',
  rollouts: 'Rollouts',
  evaluation: 'Evaluation',
  log: 'Log',
  order: 'Order',
};

/** One training from all sides. */
export function TrainingScreen(props: {
  readonly trainingId: string;
  readonly tab: TrainingTab;
  readonly JobLogs: JobLogsComponent;
}) {
  const training = useTraining(props.trainingId);
  const { trainings } = useWorkbench();
  return (
    <FoundScreen
      noun="training"
      sought={training}
      readAgain={() => void trainings.load()}
      all={{ label: 'All trainings', href: `#${addressOf({ kind: 'trainings' })}` }}
      gone="It may have been removed."
    >
      {(found) => <OneTraining training={found} tab={props.tab} JobLogs={props.JobLogs} />}
    </FoundScreen>
  );
}

function OneTraining(props: {
  readonly training: TrainingView;
  readonly tab: TrainingTab;
  readonly JobLogs: JobLogsComponent;
}) {
  const { training, tab, JobLogs } = props;
  const { id } = training;
  const checkpoints = readyValue(useCheckpoints(id))?.length ?? 0;
  useTabKeys(id);
  const numbers: Partial<Record<TrainingTab, number>> = { checkpoints };
  return (
    <Screen
      title={training.name}
      aside={
        <>
          <StateMark {...trainingWords(training)} />
          <ScaleTag scale={training.scale} />
        </>
      }
      actions={<TrainingActions training={training} />}
      below={
        <>
          <TrainingHead training={training} />
          <div className={styles.tabs}>
            <PlaceTabs
              label="Parts of the training"
              at={tab}
              tabs={TRAINING_TABS.map((one) => ({
                id: one,
                label: TAB_WORDS[one],
                href: `#${addressOf({ kind: 'training', trainingId: id, tab: one })}`,
                number: numbers[one] ?? 0,
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
      {tab === 'log' && <TrainingLog training={training} JobLogs={JobLogs} />}
      {tab === 'order' && <Order training={training} />}
    </Screen>
  );
}
