import { Button } from '@mantine/core';
import { IconEye, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import { exhibitLosses } from '../../preload/contract/plans/index';
import { TrashButton, useTrashOpen } from '../shared/trash/index';
import {
  pathOf,
  readyValue,
  useExhibits,
  useMachines,
  useTrainings,
  useTrainingTabs,
  useTrainingUsers,
  useWorkbench,
} from '../state/index';
import { EmptyState, FailedState, LoadingState, NavTabs, Screen } from '../widgets/index';
import styles from './training.module.css';
import { TrainingList } from './training-list';
import { WatchDialog } from './watch-dialog';

/** The list of trainings. */
export function TrainingsScreen() {
  const trainings = useTrainings();
  const tabs = useTrainingTabs();
  const { trainings: store, location } = useWorkbench();
  const [isWatching, setWatching] = useState(false);
  const trash = useTrashOpen();
  const isFilled = trainings.kind === 'ready' && trainings.value.length > 0;
  const frame = {
    title: 'Training',
    aside: <NavTabs label="Trainings and experiments" current="trainings" tabs={tabs} />,
    actions: (
      <>
        <TrainingTrash open={trash} />
        <Button
          variant="default"
          leftSection={<IconEye size={14} aria-hidden="true" />}
          onClick={() => setWatching(true)}
        >
          Watch a run
        </Button>
        <Button
          {...(isFilled ? {} : { variant: 'default' })}
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => location.go({ kind: 'new-training', machineId: null })}
        >
          New training
        </Button>
      </>
    ),
  };
  const dialog = isWatching && <WatchDialog onClose={() => setWatching(false)} />;
  if (isFilled) {
    return (
      <>
        <TrainingList trainings={trainings.value} frame={frame} />
        {dialog}
      </>
    );
  }
  return (
    <Screen {...frame}>
      {dialog}
      {trainings.kind === 'loading' && <LoadingState text="Loading the trainings" />}
      {trainings.kind === 'failed' && (
        <FailedState
          title="The trainings could not be read"
          message={trainings.error.message}
          hint={trainings.error.hint}
          action={{ label: 'Try again', run: () => void store.load() }}
        />
      )}
      {trainings.kind === 'ready' && <NoTrainings />}
    </Screen>
  );
}

function TrainingTrash({ open }: { readonly open: ReturnType<typeof useTrashOpen> }) {
  const { trainings } = useWorkbench();
  const usersOf = useTrainingUsers();
  const machines = readyValue(useMachines()) ?? [];
  const exhibits = readyValue(useExhibits())?.exhibits ?? [];
  return (
    <TrashButton
      {...open}
      what="trainings"
      hint="Removed trainings with their files, until you delete them here."
      list={async () => (await trainings.trash())?.map((one) => ({ ...one, id: one.trainingId })) ?? null}
      restore={trainings.restore}
      deleteForGood={(training, { more }) => trainings.deleteForGood(training, { checkpoints: more })}
      question={({ id }) =>
        `Its curves, rollouts and log on this computer are deleted. ${exhibitLosses({ kind: 'training', id }, exhibits)}`
      }
      more={({ id, machineId }) => {
        const users = usersOf(id);
        const machine = machines.find(({ spec }) => spec.id === machineId)?.spec.name ?? machineId;
        const there = machineId === LOCAL_MACHINE ? '' : ` and its files on ${machine}`;
        const used = users.length === 0 ? '' : `; they are used by ${users.join(', ')}`;
        return `Also delete its checkpoints${there}, which stay otherwise${used}`;
      }}
    />
  );
}

function NoTrainings() {
  const { location } = useWorkbench();
  return (
    <>
      <EmptyState
        title="No trainings yet"
        action={
          <span className={styles.firstSteps}>
            <Button onClick={() => location.go({ kind: 'new-training', machineId: null, trainer: 'pocket' })}>
              Train a pocket team
            </Button>
            <Button
              variant="default"
              onClick={() => location.go({ kind: 'new-experiment', preset: 'five-methods' })}
            >
              Compare the five methods
            </Button>
          </span>
        }
      >
        A pocket team trains on this computer without a GPU: small policies write small programs, every
        program is run and graded, and the agents learn from the rewards of their search trees. One training
        takes about a minute; the papers' five methods over five seeds, with controls, about 20 minutes.
      </EmptyState>
      <p className={styles.elsewhere}>
        <a href={`#${pathOf({ kind: 'new-training', machineId: null, trainer: 'model' })}`}>
          Train language models
        </a>{' '}
        with the same methods, or{' '}
        <a href={`#${pathOf({ kind: 'new-training', machineId: null, trainer: 'marti' })}`}>start MARTI</a> or
        your own trainer, on any of your <a href={`#${pathOf({ kind: 'machines' })}`}>machines</a>.
      </p>
    </>
  );
}
