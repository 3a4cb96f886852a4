import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from './dialog';
import { FormRefusal } from './form';
import { usePress } from './use-press';

type Refused = { readonly message: string; readonly hint?: string | undefined };

/** Asks for another name; closes once it is taken. */
export function RenameDialog(props: {
  readonly name: string;
  readonly hint: string;
  /** A refusal stays in the dialog. */
  readonly rename: (name: string) => Promise<Refused | null>;
  readonly onClose: () => void;
}) {
  const { hint, rename, onClose } = props;
  const [name, setName] = useState(props.name);
  const [refusal, setRefusal] = useState<Refused | null>(null);
  const { busy, press } = usePress(async () => {
    const refused = await rename(name.trim());
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
          description={hint}
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {refusal !== null && (
          <FormRefusal title="Not renamed" message={refusal.message} hint={refusal.hint} />
        )}
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
