import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StudyView } from '../../preload/contract/study';
import { useWorkbench } from '../state/index';
import { Dialog, plural, usePress } from '../widgets/index';
import { wholeNumber } from '../widgets/typed-numbers';
import styles from './study.module.css';

/** Limits how many requests a study has at once, also while it runs. */
export function ParallelDialog(props: { readonly view: StudyView; readonly onClose: () => void }) {
  const { view, onClose } = props;
  const { studyCommands } = useWorkbench();
  const [text, setText] = useState(String(view.parallel ?? ''));
  const servers = view.study.runs.flatMap(({ team }) => team.servers);
  const most = Math.max(...servers.map(({ maxInFlight }) => maxInFlight));
  const read = text.trim() === '' ? null : wholeNumber(text, [1, most]);
  const error = read === null || read.ok ? undefined : read.message;
  const { busy, press } = usePress(async () => {
    if (error !== undefined) return;
    if (await studyCommands.setParallel(view.study.id, read?.ok ? read.value : null)) onClose();
  });
  return (
    <Dialog opened onClose={onClose} title="Requests at once" size="md">
      <form
        className={styles.check}
        onSubmit={(event) => {
          event.preventDefault();
          press();
        }}
      >
        <p>Applies immediately, also while the study runs. Results do not depend on it.</p>
        <TextInput
          label="Requests at once to each server"
          description={`Empty: as many as the server takes, here up to ${plural(most, 'request')}`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          placeholder={String(most)}
          error={error}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={error !== undefined}>
            Save
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
