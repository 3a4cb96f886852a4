import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type LibraryItem, removalProblem, removalText } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { readyValue, useRecordings, useStudies, useWorkbench } from '../state/index';
import { ConfirmDialog, Dialog, FormRefusal, usePress } from '../widgets/index';

/** Renames or removes a benchmark or a recording. */
export function ItemMenu(props: {
  readonly item: LibraryItem;
  readonly name: string;
  readonly size?: number;
}) {
  const { item, name, size = 22 } = props;
  const { libraryCommands, notices } = useWorkbench();
  const studies = readyValue(useStudies()) ?? [];
  const recordings = readyValue(useRecordings()) ?? [];
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => setAsking(null);
  const answers =
    item.kind === 'recording' ? [] : recordings.filter(({ benchmarkId }) => benchmarkId === item.id);
  const askRemove = (): void => {
    const problem = removalProblem(item, studies);
    if (problem === null) setAsking('remove');
    else notices.show({ level: 'warning', ...problem });
  };
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={size}
            aria-label={`More actions for ${name}`}
            title="More actions"
          >
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking('rename')}>Rename…</Menu.Item>
          <Menu.Item onClick={askRemove}>Remove…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === 'rename' && <RenameDialog item={item} name={name} onClose={close} />}
      <ConfirmDialog
        opened={asking === 'remove'}
        title={`Remove the ${item.kind} ${name}?`}
        confirm={`Remove ${item.kind}`}
        cancel="Keep it"
        onConfirm={() => void libraryCommands.remove(item, name)}
        onClose={close}
      >
        {removalText(item, studies, answers.length)} Its files are deleted.
      </ConfirmDialog>
    </>
  );
}

function RenameDialog(props: {
  readonly item: LibraryItem;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { item, onClose } = props;
  const { libraryCommands } = useWorkbench();
  const [name, setName] = useState(props.name);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { busy, press } = usePress(async () => {
    const refused = await libraryCommands.rename(item, name.trim());
    if (refused === null) onClose();
    else setRefusal(refused);
  });
  const ready = name.trim() !== '' && name.trim() !== props.name;
  return (
    <Dialog opened onClose={onClose} title={`Rename ${props.name}`} withCloseButton={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) press();
        }}
      >
        <TextInput
          label="Name"
          description={`The id ${item.id} stays: studies and commands use it.`}
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {refusal !== null && <FormRefusal title="Not renamed" {...refusal} />}
        <Group justify="flex-end" gap="sm" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={busy}>
            Rename
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
