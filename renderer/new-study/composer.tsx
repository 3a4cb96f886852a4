import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Benchmark } from '../../preload/contract/problem';
import type { Refusal } from '../../preload/contract/refusal';
import { useWorkbench } from '../state/index';
import { Screen } from '../widgets/index';
import type { Library } from './agents';
import { checkDraft, type Spot } from './check';
import { Configurations } from './configurations';
import type { StudyDraft, Touched } from './draft';
import styles from './new-study.module.css';
import { ProblemFields } from './problem-fields';
import type { Said } from './said';
import { SearchFields } from './search-fields';
import { Summary } from './summary';

export function Composer(props: {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly touched: Touched;
  readonly onTouched: (touched: Touched) => void;
}) {
  const { draft, benchmark, library, touched, onTouched } = props;
  const { studyCommands } = useWorkbench();
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<'create' | 'run' | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const checked = checkDraft(draft, benchmark, library);

  const change = (part: Touched): void => {
    setRefusal(null);
    onTouched({ ...touched, ...part });
  };
  const create = async (start: boolean): Promise<void> => {
    if (busy !== null) return;
    setTried(true);
    if (checked.order === null) {
      // After the faults are drawn: the first of them is where to go on.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(start ? 'run' : 'create');
    const refused = await studyCommands.create(checked.order, { start });
    setBusy(null);
    setRefusal(refused);
    if (refused === null) onTouched({});
  };
  useHotkeys([['mod+Enter', () => void create(true)]], []);

  const shown = checked.faults.filter(({ kind }) => kind === 'wrong' || tried);
  const said: Said = {
    fault: (at: Spot) => shown.find((fault) => fault.at === at)?.message,
    warnings: (at: Spot) => checked.warnings.filter((one) => one.at === at).map(({ message }) => message),
  };
  const parts = { draft, benchmark, library, checked, said, change };
  return (
    <Screen
      title="New study"
      actions={
        <>
          <Button variant="default" loading={busy === 'create'} onClick={() => void create(false)}>
            Create
          </Button>
          <Button
            loading={busy === 'run'}
            leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
            title="Create and run (Ctrl+Enter)"
            onClick={() => void create(true)}
          >
            Create and run
          </Button>
        </>
      }
      fill
    >
      <div className={styles.columns}>
        <form
          ref={form}
          className={styles.form}
          aria-label="New study"
          onSubmit={(event) => event.preventDefault()}
        >
          <ProblemFields {...parts} touched={touched} onTouched={onTouched} />
          <SearchFields {...parts} />
          <Configurations {...parts} />
        </form>
        <Summary {...parts} faults={shown.length} refusal={refusal} />
      </div>
    </Screen>
  );
}
