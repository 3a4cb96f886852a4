import { Button } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import { readyValue, useBenchmarks, useWorkbench } from '../../state/index';
import { usePress } from '../../widgets/index';
import { type Mark, useMarkFields } from './mark-fields';
import styles from './problems.module.css';

/** The user's mark on a problem, with a form to change it; stored with the benchmark. */
export function ProblemMarkLine(props: { readonly benchmarkId: string; readonly problemId: string }) {
  const { benchmarkId, problemId } = props;
  const { libraryCommands } = useWorkbench();
  const benchmark = readyValue(useBenchmarks())?.find(({ id }) => id === benchmarkId);
  const [open, setOpen] = useState(false);
  const mark = benchmark?.marks.find((mark) => mark.problemId === problemId) ?? null;
  const removing = usePress(() => libraryCommands.mark(benchmarkId, [{ problemId, mark: null }]));
  if (benchmark === undefined) return null;
  if (open) {
    return (
      <MarkForm
        before={mark}
        onMark={(next) => libraryCommands.mark(benchmarkId, [{ problemId, mark: next }])}
        onClose={() => setOpen(false)}
      />
    );
  }
  if (mark === null) {
    return (
      <div className={styles.mark}>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconFlag size={12} aria-hidden="true" />}
          style={{ justifySelf: 'start', marginLeft: -7 }}
          onClick={() => setOpen(true)}
        >
          Mark this problem
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.mark}>
      <div className={styles.markLine}>
        <IconFlag size={13} aria-hidden="true" />
        <span>
          Marked: {mark.reason}, {mark.exclude ? 'excluded from new studies' : 'included in new studies'}
        </span>
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          Change
        </Button>
        <Button variant="subtle" size="compact-xs" loading={removing.busy} onClick={removing.press}>
          Remove mark
        </Button>
      </div>
    </div>
  );
}

function MarkForm(props: {
  readonly before: Mark | null;
  readonly onMark: (mark: Mark) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { before, onMark, onClose } = props;
  const { mark, fields } = useMarkFields(before ?? {});
  const { busy, press } = usePress(async () => {
    await onMark(mark);
    onClose();
  });
  const ready = mark.reason !== '';
  return (
    <form
      className={`${styles.mark} ${styles.markForm}`}
      aria-label="Mark this problem"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) press();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {fields({
        'aria-label': 'Reason',
        placeholder: 'Reason, e.g. several correct answers',
        autoFocus: true,
      })}
      <Button type="submit" variant="default" disabled={!ready} loading={busy}>
        Mark
      </Button>
      <Button variant="subtle" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}
