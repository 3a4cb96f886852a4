import { Button, Group, Text } from '@mantine/core';
import type { Benchmark } from '../../preload/contract/problem';
import { type Mark, useMarkFields } from '../shared/problems/index';
import { useWorkbench } from '../state/index';
import { count, Dialog, plural, usePress } from '../widgets/index';
import styles from './benchmark.module.css';

/** Asks for the reason, and marks these problems. */
export function MarkDialog(props: {
  readonly benchmark: Benchmark;
  readonly title: string;
  readonly problemIds: readonly string[];
  /** How many of several are marked already. */
  readonly replaced: number;
  /** What the form begins with. */
  readonly before: Partial<Mark>;
  readonly onClose: () => void;
}) {
  const { benchmark, title, problemIds, replaced, onClose } = props;
  const { libraryCommands } = useWorkbench();
  const { mark, fields } = useMarkFields(props.before);
  const ready = mark.reason !== '';
  const { busy, press } = usePress(async () => {
    await libraryCommands.markMany(
      benchmark,
      problemIds.map((problemId) => ({ problemId, mark })),
    );
    onClose();
  });
  return (
    <Dialog opened onClose={onClose} title={title} withCloseButton={false}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) press();
        }}
      >
        {fields({ label: 'Reason', placeholder: 'several correct answers', 'data-autofocus': true })}
        {replaced > 0 && (
          <Text c="dimmed">
            {replaced === 1
              ? 'One of them is marked already; its mark is'
              : `${count(replaced)} of them are marked already; their marks are`}{' '}
            replaced.
          </Text>
        )}
        <Group justify="flex-end" gap="sm" mt="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={busy}>
            Mark {plural(problemIds.length, 'problem')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
