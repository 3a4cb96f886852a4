import { Button, Checkbox, Menu } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrainingView } from '../../preload/contract/training';
import {
  readyValue,
  useCheckpoints,
  useMachine,
  usePendingTrainingAction,
  useWorkbench,
} from '../state/index';
import {
  isOnlyWatched,
  resumesFrom,
  stopKeepsText,
  trainingIsActive,
  trainingIsDone,
} from '../text/trainings';
import { bytes, ConfirmDialog, MoreMenu, plural } from '../widgets/index';
import { ExportMenu } from './export-menu';

/** Stop or resume, copy, remove. */
export function TrainingActions({ training }: { readonly training: TrainingView }) {
  const { id, name, machineId } = training;
  const { trainings, location } = useWorkbench();
  const pendingAction = usePendingTrainingAction(id);
  const machineName = useMachine(machineId)?.spec.name ?? machineId;
  const [confirming, setConfirming] = useState<'stop' | 'remove' | null>(null);
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
          calm
          onConfirm={() => void trainings.remove(id, { checkpoints: false })}
          onClose={() => setConfirming(null)}
        >
          {`It leaves this list. The run and its files on ${machineName} stay as they are.`}
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
        <Menu.Item color="red" disabled={isActive} onClick={() => setConfirming('remove')}>
          Remove
        </Menu.Item>
      </MoreMenu>
      <ConfirmDialog
        opened={confirming === 'stop'}
        title={`Stop ${name}?`}
        confirm="Stop training"
        cancel="Keep it running"
        calm
        onConfirm={() => void trainings.stop(id)}
        onClose={() => setConfirming(null)}
      >
        {training.state.kind === 'queued'
          ? 'Removes it from the queue. Resume queues it again.'
          : `Stops its processes on ${machineName}. ${stopKeepsText(training.spec)}`}
      </ConfirmDialog>
      {confirming === 'remove' && (
        <RemoveTraining training={training} machineName={machineName} onClose={() => setConfirming(null)} />
      )}
    </>
  );
}

function RemoveTraining(props: {
  readonly training: TrainingView;
  readonly machineName: string;
  readonly onClose: () => void;
}) {
  const { training, machineName, onClose } = props;
  const { trainings } = useWorkbench();
  const [checkpoints, setCheckpoints] = useState(false);
  const saved = readyValue(useCheckpoints(training.id)) ?? [];
  const size = saved.reduce((sum, checkpoint) => sum + (checkpoint.bytes ?? 0), 0);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${training.name}?`}
      confirm="Remove training"
      cancel="Keep it"
      onConfirm={() => void trainings.remove(training.id, { checkpoints })}
      onClose={onClose}
    >
      Deletes its curves, rollouts and log. This cannot be undone.
      {saved.length > 0 && (
        <Checkbox
          mt="sm"
          checked={checkpoints}
          onChange={(event) => setCheckpoints(event.currentTarget.checked)}
          label={`Also delete its ${plural(saved.length, 'checkpoint')} on ${machineName}${size > 0 ? ` (${bytes(size)})` : ''}; studies and servers that use them would fail`}
        />
      )}
    </ConfirmDialog>
  );
}
