import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
import type { Refusal } from '../../preload/contract/refusal';
import { MachineSelect, PathInput } from '../shared/machines/index';
import { readyValue, useMachines, useWorkbench } from '../state/index';
import { Dialog, FormRefusal, SubmitByKey, usePress } from '../widgets/index';

/** Asks for a run that others started, to watch it. */
export function WatchDialog({ onClose }: { readonly onClose: () => void }) {
  const { trainings } = useWorkbench();
  const machines = readyValue(useMachines()) ?? [];
  const [machineId, setMachineId] = useState(LOCAL_MACHINE);
  const [source, setSource] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const error = isTried && source.trim() === '' ? 'Enter a folder or the id of a Slurm job.' : undefined;
  const { busy, press } = usePress(async () => {
    setIsTried(true);
    if (source.trim() === '') return;
    const refused = await trainings.watch({ machineId, source: source.trim() });
    setRefusal(refused);
    if (refused === null) onClose();
  });
  return (
    <Dialog opened onClose={onClose} title="Watch a run" size="lg" withCloseButton={false}>
      <SubmitByKey busy={busy} onSubmit={press}>
        <p style={{ margin: '0 0 10px' }}>
          A run that others started gets the same curves and alarms. The workbench only reads its files: it
          never stops, changes or deletes anything.
        </p>
        <MachineSelect
          value={machineId}
          machines={machines.map(({ spec }) => spec)}
          description={undefined}
          error={undefined}
          onChange={setMachineId}
        />
        <PathInput
          machineId={machineId}
          mt="sm"
          data-autofocus
          label="Folder or Slurm id"
          description="A folder of TensorBoard files, of logs (*.log, *.out), or of our own trainer"
          placeholder="/scratch/run/tensorboard"
          value={source}
          error={error}
          onChange={setSource}
        />
        {refusal !== null && (
          <FormRefusal title="The run is not watched" message={refusal.message} hint={refusal.hint} />
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} onClick={press} title="Ctrl+Enter">
            Watch run
          </Button>
        </Group>
      </SubmitByKey>
    </Dialog>
  );
}
