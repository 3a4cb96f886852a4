import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { TrainingCheckpoint, TrainingView } from '../../preload/contract/training';
import {
  LOCAL_MACHINE,
  useCheckpoints,
  useMachine,
  usePendingTrainingAction,
  useWorkbench,
} from '../state/index';
import { DataTable, EmptyState, FailedState, LoadingState, PickBox, plural } from '../widgets/index';
import {
  checkpointColumns,
  checkpointRowActions,
  checkpointSize,
  latestServable,
  newestFirst,
} from './checkpoint-columns';
import styles from './checkpoints.module.css';
import { EvaluateDialog } from './evaluate-dialog';
import type { CheckpointRef } from './evaluate-draft';

/** The checkpoints of a training, to serve, evaluate or compare. */
export function Checkpoints({ training }: { readonly training: TrainingView }) {
  const { trainingResources: resources } = useWorkbench();
  const checkpoints = useCheckpoints(training.id);
  switch (checkpoints.kind) {
    case 'loading':
      return (
        <div className={styles.padded}>
          <LoadingState text="Loading the checkpoints" />
        </div>
      );
    case 'failed':
      return (
        <div className={styles.padded}>
          <FailedState
            title="The checkpoints could not be read"
            message={checkpoints.error.message}
            hint={checkpoints.error.hint}
            action={{ label: 'Try again', run: () => resources.checkpoints.refresh(training.id) }}
          />
        </div>
      );
    case 'ready':
      return checkpoints.value.length === 0 ? (
        <div className={styles.padded}>
          <EmptyState title="No checkpoint yet">
            The trainer writes checkpoints at regular intervals and a last one at the end.
          </EmptyState>
        </div>
      ) : (
        <CheckpointList training={training} checkpoints={checkpoints.value} />
      );
    default:
      return checkpoints satisfies never;
  }
}

function CheckpointList(props: {
  readonly training: TrainingView;
  readonly checkpoints: readonly TrainingCheckpoint[];
}) {
  const { training, checkpoints } = props;
  const { trainings, trainingResources: resources } = useWorkbench();
  const pendingAction = usePendingTrainingAction(training.id);
  const machineName = useMachine(training.machineId)?.spec.name ?? training.machineId;
  const awayOn = training.machineId === LOCAL_MACHINE ? null : machineName;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<{
    readonly first: readonly CheckpointRef[];
    readonly more: boolean;
  } | null>(null);
  const rows = useMemo(() => newestFirst(checkpoints, training.agents), [checkpoints, training.agents]);
  const last = latestServable(checkpoints);
  const picked = (some: readonly TrainingCheckpoint[]): readonly CheckpointRef[] =>
    some.map((checkpoint) => ({ trainingId: training.id, checkpointId: checkpoint.id }));
  const options = useMemo(
    (): Parameters<typeof checkpointColumns>[0] => ({
      training,
      awayOn,
      pendingAction,
      onFetch: (id) =>
        void trainings
          .fetchCheckpoint(training.id, id)
          .then(() => resources.checkpoints.refresh(training.id)),
      onServe: (id) => void trainings.serve(training.id, id),
      onEvaluate: (checkpoint) => setDialog({ first: picked([checkpoint]), more: false }),
      onCompare: (checkpoint) => setDialog({ first: picked([checkpoint]), more: true }),
      choice: (checkpoint) => (
        <PickBox
          label={`Select ${checkpoint.id}`}
          disabled={!checkpoint.canServe}
          checked={chosen.has(checkpoint.id)}
          onChange={() => {
            const next = new Set(chosen);
            if (!next.delete(checkpoint.id)) next.add(checkpoint.id);
            setChosen(next);
          }}
        />
      ),
    }),
    [training, awayOn, pendingAction, chosen, trainings, resources],
  );
  const columns = useMemo(() => checkpointColumns(options), [options]);
  const fetching = rows.find(({ id }) => pendingAction === `fetch ${id}`);
  const some = rows.filter(({ id }) => chosen.has(id));
  return (
    <div className={styles.list}>
      <div className={styles.bar}>
        <span>
          {plural(checkpoints.length, 'checkpoint')} on {machineName}
        </span>
        {fetching !== undefined && (
          <span role="status">
            Copying {fetching.id} to this computer: {checkpointSize(fetching)}
          </span>
        )}
        {some.length > 0 && (
          <Button size="compact-sm" onClick={() => setDialog({ first: picked(some), more: false })}>
            Evaluate {plural(some.length, 'checkpoint')}
          </Button>
        )}
        {some.length === 0 && last.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setDialog({ first: picked(last), more: false })}
          >
            {last.length === 1 ? 'Evaluate the last' : 'Evaluate the last of every agent'}
          </Button>
        )}
      </div>
      <div className={styles.table}>
        <DataTable
          label="Checkpoints"
          columns={columns}
          rows={rows}
          rowHeight={32}
          rowKey={({ id }) => id}
          rowLabel={({ id }) => id}
          rowActions={(checkpoint) => checkpointRowActions(options, checkpoint)}
        />
      </div>
      {dialog !== null && (
        <EvaluateDialog
          training={training}
          first={dialog.first}
          comparing={dialog.more}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
