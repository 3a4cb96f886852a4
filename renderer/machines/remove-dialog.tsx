import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { MachineSpec } from '../../preload/contract/machine';
import type { Refusal } from '../../preload/contract/refusal';
import { useWorkbench } from '../state/index';
import { Dialog, Hint } from '../widgets/index';

/** Asks before a machine is removed, and again if our jobs may still run on it. */
export function RemoveDialog(props: { readonly spec: MachineSpec; readonly onClose: () => void }) {
  const { spec, onClose } = props;
  const { machineActions } = useWorkbench();
  const [conflict, setConflict] = useState<Refusal | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    const refused = await machineActions.remove(spec.id, conflict !== null);
    setIsBusy(false);
    if (refused?.code === 'conflict' && conflict === null) setConflict(refused);
    else onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={`Remove ${spec.name}?`} withCloseButton={false}>
      {conflict === null ? (
        <Text size="md" c="dimmed">
          Removes it from the list. Nothing is deleted on the machine and its jobs keep running; add it again
          to see them.
        </Text>
      ) : (
        <div role="alert">
          <Text size="md">{conflict.message}</Text>
          {conflict.hint !== undefined && <Hint text={conflict.hint} />}
        </div>
      )}
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button color="red" loading={isBusy} onClick={() => void remove()}>
          {conflict === null ? 'Remove' : 'Remove anyway'}
        </Button>
      </Group>
    </Dialog>
  );
}
