import { Button } from '@mantine/core';
import { useState } from 'react';
import { MAX_MARKS, type ProblemKind } from '../../preload/contract/plans/index';
import type { Benchmark, ProblemOutline } from '../../preload/contract/problem';
import { useWorkbench } from '../state/index';
import { count, plural, usePress } from '../widgets/index';
import styles from './benchmark.module.css';
import { MarkDialog } from './mark-dialog';

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
          title={`Mark ${plural(shown.length, 'problem')} of ${benchmark.name}`}
          problemIds={shown.map(({ id }) => id)}
          replaced={marked.length}
          before={only === 'no-public-tests' ? { reason: 'no public tests' } : {}}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
