import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { problemsWithoutPublicTests } from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import type { Refusal } from '../../preload/contract/refusal';
import { checkpointErrors, type Library } from '../shared/agents/index';
import { readyValue, useProblemList, useWorkbench } from '../state/index';
import { Screen, WarningList } from '../widgets/index';
import { checkStudy } from './check-study';
import { Configurations } from './configurations';
import type { FieldError, FieldId } from './field-errors';
import type { FormMessages } from './form-messages';
import styles from './new-study.module.css';
import { ProblemFields } from './problem-fields';
import { SearchFields } from './search-fields';
import type { StudyDraft, StudyEdits } from './study-draft';
import { Summary } from './summary';

export function Composer(props: {
  readonly draft: StudyDraft;
  readonly benchmark: Benchmark;
  readonly library: Library;
  readonly edits: StudyEdits;
  readonly onEdits: (edits: StudyEdits) => void;
  /** Fills the form in like the study that it created last; null: it is filled in already, or there is none. */
  readonly onAsLastTime: (() => void) | null;
}) {
  const { draft, benchmark, library, edits, onEdits } = props;
  const { studyCommands, trainings } = useWorkbench();
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<'create' | 'run' | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [dismissed, setDismissed] = useState<readonly FieldError[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const isPartlyTested = problemsWithoutPublicTests(benchmark) > 0;
  const outlines = readyValue(useProblemList(isPartlyTested ? benchmark : null));
  const checked = checkStudy(draft, benchmark, library, outlines);

  const change = (part: StudyEdits): void => {
    setRefusal(null);
    setDismissed([]);
    onEdits({ ...edits, ...part });
  };
  const create = async (start: boolean): Promise<void> => {
    if (busy !== null) return;
    setTried(true);
    if (checked.request === null) {
      // After the errors are rendered: focus the first one.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(start ? 'run' : 'create');
    const lost = await checkpointErrors(draft.configurations, trainings.checkMember);
    setDismissed(lost);
    if (lost.length > 0) return setBusy(null);
    const refused = await studyCommands.create(checked.request, { start, note: draft.note?.trim() ?? '' });
    setBusy(null);
    setRefusal(refused);
    if (refused === null) onEdits({});
  };
  useHotkeys([['mod+Enter', () => void create(true)]], []);

  const shown = [...checked.errors.filter(({ kind }) => kind === 'wrong' || tried), ...dismissed];
  const messages: FormMessages = {
    error: (at: FieldId) => shown.find((error) => error.at === at)?.message,
    warnings: (at: FieldId) =>
      checked.warnings.filter((warning) => warning.at === at).map(({ message }) => message),
  };
  const parts = { draft, benchmark, library, checked, messages, change };
  return (
    <Screen
      title="New study"
      actions={
        <>
          {props.onAsLastTime !== null && (
            <Button variant="subtle" onClick={props.onAsLastTime}>
              As last time
            </Button>
          )}
          {Object.keys(edits).length > 0 && (
            <Button variant="subtle" title="Empties the form" onClick={() => onEdits({})}>
              Start over
            </Button>
          )}
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
          <WarningList
            label="Left out of the copy"
            warnings={draft.lost.map((text) => ({ key: text, content: text }))}
          />
          <ProblemFields {...parts} edits={edits} onEdits={onEdits} />
          <SearchFields {...parts} />
          <Configurations {...parts} />
        </form>
        <Summary {...parts} errors={shown.length} refusal={refusal} />
      </div>
    </Screen>
  );
}
