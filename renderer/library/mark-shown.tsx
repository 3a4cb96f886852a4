import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { MAX_MARKS, type ProblemKind } from '../../preload/contract/plans/index';
import type { Benchmark, ProblemOutline } from '../../preload/contract/problem';
import { useMarkFields } from '../shared/problems/index';
import { useWorkbench } from '../state/index';
import { count, Dialog, plural, usePress } from '../widgets/index';
import styles from './benchmark.module.css';

/** How many problems are shown, and what can be done with all of them. */
export function MarkShown(props: {
  readonly benchmark: Benchmark;
  readonly shown: readonly ProblemOutline[];
  /** Suggests the reason. */
  readonly only: ProblemKind;
}) {
  const { benchmark, shown, only } = props;
  const { libraryCommands } = useWorkbench();
  const [open, setOpen] = useState(false);
  const markedIds = new Set(benchmark.marks.map(({ problemId }) => problemId));
  const marked = shown.filter(({ id }) => markedIds.has(id));
  const unmarking = usePress(() =>
    libraryCommands.markMany(
      benchmark,
      marked.map(({ id }) => ({ problemId: id, mark: null })),
    ),
  );
  const tooMany = shown.length > MAX_MARKS;
  return (
    <div className={styles.shown}>
      <span>
        {count(shown.length)} of {plural(benchmark.problems, 'problem')}
      </span>
      {marked.length > 0 && !tooMany && (
        <Button variant="subtle" size="compact-xs" loading={unmarking.busy} onClick={unmarking.press}>
          Remove {plural(marked.length, 'mark')}
        </Button>
      )}
      {shown.length > 0 && (
        <Button
          variant="default"
          size="compact-xs"
          disabled={tooMany}
          title={tooMany ? `At most ${count(MAX_MARKS)} at once: filter the list first` : undefined}
          onClick={() => setOpen(true)}
        >
          {shown.length === 1 ? 'Mark the one shown…' : `Mark all ${count(shown.length)} shown…`}
        </Button>
      )}
      {open && (
        <MarkDialog
          benchmark={benchmark}
          shown={shown}
          replaced={marked.length}
          suggestion={only === 'no-public-tests' ? 'no public tests' : ''}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function MarkDialog(props: {
  readonly benchmark: Benchmark;
  readonly shown: readonly ProblemOutline[];
  /** Of them, how many are marked already. */
  readonly replaced: number;
  readonly suggestion: string;
  readonly onClose: () => void;
}) {
  const { benchmark, shown, replaced, onClose } = props;
  const { libraryCommands } = useWorkbench();
  const { mark, fields } = useMarkFields({ reason: props.suggestion });
  const ready = mark.reason !== '';
  const { busy, press } = usePress(async () => {
    await libraryCommands.markMany(
      benchmark,
      shown.map(({ id }) => ({ problemId: id, mark })),
    );
    onClose();
  });
  const what = `Mark ${plural(shown.length, 'problem')}`;
  return (
    <Dialog opened onClose={onClose} title={`${what} of ${benchmark.name}`} withCloseButton={false}>
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
            {what}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
