import { Button } from '@mantine/core';
import { IconPackageImport } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { TaskLine } from '../../widgets/task-line';

/** Opens a bundle of another lab and shows its progress. */
export function OpenBundleButton(props: {
  readonly busy: boolean;
  readonly open: () => void;
  /** null: not running. */
  readonly task: ComponentProps<typeof TaskLine> | null;
}) {
  return (
    <>
      {props.task !== null && <TaskLine {...props.task} />}
      <Button
        variant="default"
        loading={props.busy}
        leftSection={<IconPackageImport size={14} aria-hidden="true" />}
        onClick={props.open}
      >
        Open bundle
      </Button>
    </>
  );
}
