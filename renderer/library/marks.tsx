import { ActionIcon, Button, Checkbox, Modal, TextInput, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Benchmark } from '../../preload/contract/problem';
import { useWorkbench } from '../state/index';
import { plural } from '../widgets/index';
import styles from './library.module.css';

/** "2 marked, 1 left out", and the way to them. */
export function MarksButton(props: { readonly benchmark: Benchmark; readonly onOpen: () => void }) {
  const { marks, name } = props.benchmark;
  const excluded = marks.filter(({ exclude }) => exclude).length;
  const label =
    marks.length === 0
      ? 'Mark a problem'
      : `${plural(marks.length, 'problem')} marked${excluded > 0 ? `, ${excluded} excluded` : ''}`;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-label={`${label} of ${name}`}
      className={styles.marksButton}
      onClick={props.onOpen}
    >
      {label}
    </Button>
  );
}

/** What people found out about problems; a mark travels with the benchmark. */
export function MarksDialog(props: { readonly benchmark: Benchmark; readonly onClose: () => void }) {
  const { benchmark, onClose } = props;
  const { libraryCommands } = useWorkbench();
  const [problemId, setProblemId] = useState('');
  const [reason, setReason] = useState('');
  const [exclude, setExclude] = useState(true);
  const mark = (id: string, next: { reason: string; exclude: boolean } | null): void =>
    void libraryCommands.mark({ benchmarkId: benchmark.id, problemId: id, mark: next });
  const add = (): void => {
    mark(problemId.trim(), { reason: reason.trim(), exclude });
    setProblemId('');
    setReason('');
  };
  const ready = problemId.trim() !== '' && reason.trim() !== '';
  return (
    <Modal opened onClose={onClose} title={`Marked problems of ${benchmark.name}`} size="lg">
      {benchmark.marks.length === 0 ? (
        <p className={styles.soft}>No problems are marked.</p>
      ) : (
        <table className={`${styles.table} ${styles.marks}`} aria-label="Marked problems">
          <thead>
            <tr>
              <th scope="col">Problem</th>
              <th scope="col">Reason</th>
              <th scope="col">In new studies</th>
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {benchmark.marks.map((entry) => (
              <tr key={entry.problemId}>
                <th scope="row">{entry.problemId}</th>
                <td>{entry.reason}</td>
                <td>
                  <Checkbox
                    size="xs"
                    label="excluded"
                    aria-label={`Exclude ${entry.problemId}`}
                    checked={entry.exclude}
                    onChange={(event) =>
                      mark(entry.problemId, { reason: entry.reason, exclude: event.currentTarget.checked })
                    }
                  />
                </td>
                <td>
                  <ActionIcon
                    aria-label={`Remove the mark of ${entry.problemId}`}
                    title="Remove mark"
                    onClick={() => mark(entry.problemId, null)}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form
        className={styles.addMark}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) add();
        }}
      >
        <TextInput
          label="Problem"
          placeholder="problem id"
          value={problemId}
          data-autofocus
          onChange={(event) => setProblemId(event.currentTarget.value)}
        />
        <TextInput
          label="Reason"
          placeholder="several correct answers"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Checkbox
          size="xs"
          label="Exclude from new studies"
          checked={exclude}
          onChange={(event) => setExclude(event.currentTarget.checked)}
        />
        <Button type="submit" variant="default" disabled={!ready}>
          Mark
        </Button>
      </form>
    </Modal>
  );
}
