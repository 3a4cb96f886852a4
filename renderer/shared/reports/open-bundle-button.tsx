import { Button } from '@mantine/core';
import { IconPackageImport } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { TaskLine } from '../../widgets/task-line';

/** Opens a bundle of another lab; beside it how far that is, while it goes on. */
export function OpenBundleButton(props: {
  readonly busy: boolean;
  readonly open: () => void;
  /** Null while nothing is under way. */
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
