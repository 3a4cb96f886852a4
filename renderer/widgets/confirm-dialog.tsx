import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Asks before something that stops work or changes files. The button names the action; Escape and `cancel` change
 * nothing. `isHarmless`: nothing is lost, so the button is not red.
 */
export function ConfirmDialog(props: {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly cancel: string;
  readonly isHarmless?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { opened, title, children, confirm, cancel, isHarmless = false, onConfirm, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} withCloseButton={false}>
      <Text component="div" size="md" c="dimmed">
        {children}
      </Text>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button
          {...(isHarmless ? {} : { color: 'red' })}
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
