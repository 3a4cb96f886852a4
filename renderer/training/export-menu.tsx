import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TrainingView } from '../../preload/contract/training';
import { usePendingTrainingAction, useWorkbench } from '../state/index';

/** Writes the curves as other programs read them, into a folder that the user chooses. */
export function ExportMenu({ training }: { readonly training: TrainingView }) {
  const { trainings } = useWorkbench();
  const pendingAction = usePendingTrainingAction(training.id);
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          variant="default"
          loading={pendingAction === 'export'}
          leftSection={<IconDownload size={14} aria-hidden="true" />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void trainings.exportCurves(training.id, 'csv')}>As CSV</Menu.Item>
        <Menu.Item onClick={() => void trainings.exportCurves(training.id, 'tensorboard')}>
          As TensorBoard files
        </Menu.Item>
        <Menu.Item onClick={() => void trainings.exportCurves(training.id, 'wandb')}>
          As a Weights &amp; Biases offline run
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
