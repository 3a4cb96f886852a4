import { Button, Menu } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { exhibitLosses, trainingUsersText } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import {
  readyValue,
  useExhibits,
  useMachine,
  usePendingTrainingAction,
  useTrainingUsers,
  useWorkbench,
} from '../state/index';
import {
  isOnlyWatched,
  resumesFrom,
  stopKeepsText,
  trainingIsActive,
  trainingIsDone,
} from '../text/trainings';
import { ConfirmDialog, MoreMenu } from '../widgets/index';
import { ExportMenu } from './export-menu';

/** Stop or resume, copy, remove. */
export function TrainingActions({ training }: { readonly training: TrainingView }) {
  const { id, name, machineId } = training;
  const { trainings, location } = useWorkbench();
  const pendingAction = usePendingTrainingAction(id);
  const machineName = useMachine(machineId)?.spec.name ?? machineId;
  const [confirming, setConfirming] = useState<'stop' | 'remove' | null>(null);
  const losses = useExhibitLosses(id);
  const isActive = trainingIsActive(training);
  // It ended while the question was open: there is nothing to stop any more.
  if (confirming === 'stop' && !isActive) setConfirming(null);
  if (isOnlyWatched(training)) {
    return (
      <>
        <ExportMenu training={training} />
        <Button
          variant="default"
          loading={pendingAction === 'remove'}
          onClick={() => setConfirming('remove')}
        >
          Stop watching
        </Button>
        <ConfirmDialog
          opened={confirming === 'remove'}
          title={`Stop watching ${name}?`}
          confirm="Stop watching"
          cancel="Keep watching"
          isHarmless
          onConfirm={() => void trainings.remove(training)}
          onClose={() => setConfirming(null)}
        >
          {`It leaves this list. The run and its files on ${machineName} stay as they are. ${losses}`}
        </ConfirmDialog>
      </>
    );
  }
  return (
    <>
      {isActive ? (
        <Button
          variant="default"
          loading={pendingAction === 'stop'}
          leftSection={<IconPlayerStop size={14} aria-hidden="true" />}
          onClick={() => setConfirming('stop')}
        >
          Stop
        </Button>
      ) : (
        !trainingIsDone(training) && (
          <Button
            loading={pendingAction === 'resume'}
            title={training.step === 0 ? 'Begins anew' : `Continues from its ${resumesFrom(training.spec)}`}
            leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
            onClick={() => void trainings.resume(id)}
          >
            Resume
          </Button>
        )
      )}
      <Button
        variant="default"
        onClick={() => location.go({ kind: 'new-training', machineId: null, from: id })}
      >
        Copy to a new training
      </Button>
      <ExportMenu training={training} />
      <MoreMenu busy={pendingAction === 'remove'}>
        <Menu.Item
          disabled={training.jobId === null}
          onClick={() => location.go({ kind: 'jobs', jobId: training.jobId })}
        >
          Show job
        </Menu.Item>
        <Menu.Item disabled={isActive} onClick={() => setConfirming('remove')}>
          Remove
        </Menu.Item>
      </MoreMenu>
      <ConfirmDialog
        opened={confirming === 'stop'}
        title={`Stop ${name}?`}
        confirm="Stop training"
        cancel="Keep it running"
        isHarmless
        onConfirm={() => void trainings.stop(id)}
        onClose={() => setConfirming(null)}
      >
        {training.state.kind === 'queued'
          ? 'Removes it from the queue. Resume queues it again.'
          : `Stops its processes on ${machineName}. ${stopKeepsText(training)}`}
      </ConfirmDialog>
      {confirming === 'remove' && <RemoveTraining training={training} onClose={() => setConfirming(null)} />}
    </>
  );
}

/** Which figures of the lab's own lose lines with it. */
function useExhibitLosses(id: string): string {
  return exhibitLosses({ kind: 'training', id }, readyValue(useExhibits())?.exhibits ?? []);
}

/** What else uses the training is said first. */
function RemoveTraining(props: { readonly training: TrainingView; readonly onClose: () => void }) {
  const { training, onClose } = props;
  const { trainings } = useWorkbench();
  const users = useTrainingUsers()(training.id);
  const losses = useExhibitLosses(training.id);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${training.name}?`}
      confirm="Move to the trash"
      cancel="Keep it"
      isHarmless
      onConfirm={() => void trainings.remove(training)}
      onClose={onClose}
    >
      {[
        'It leaves the list and goes to the trash (Training > Trash), where it can be restored; its files stay where they are.',
        trainingUsersText(users),
        losses,
      ]
        .flatMap((sentence) => sentence ?? [])
        .join(' ')}
    </ConfirmDialog>
  );
}
