import { Button, Checkbox, Modal, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { DiagnosticsPart, DiagnosticsPartId } from '../../preload/contract/diagnostics';
import { DIAGNOSTICS_PARTS, diagnosticsText } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { LOADING, type Loadable, readyValue, useDebouncedQuery, useWorkbench } from '../state/index';
import { bytes, CopyTextButton, ErrorNote } from '../widgets/index';
import styles from './problem-report.module.css';

/** As much as fits into a message. */
const LONGEST_NOTE = 10_000;

/** The report of a problem: shows the text as it will be saved, before it is saved. */
export function ProblemReportDialog() {
  const { diagnostics } = useWorkbench();
  const isOpen = useStore(diagnostics.store, (report) => report.isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={diagnostics.close}
      title="Report a problem"
      size={980}
      yOffset="6vh"
      classNames={{ body: styles.body ?? '' }}
    >
      {isOpen && <ReportForm />}
    </Modal>
  );
}

function ReportForm() {
  const { diagnostics } = useWorkbench();
  const { madeAt, parts, note, leftOut } = useStore(diagnostics.store);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const hidden = useHiddenNote(note);
  const chosen = DIAGNOSTICS_PARTS.filter(({ id }) => !leftOut.has(id));
  const text = useMemo(
    () =>
      diagnosticsText({
        note: readyValue(hidden) ?? '',
        parts: chosen.map(({ id }) => ({ id, part: shownPart(id, parts.get(id) ?? LOADING) })),
        madeAt,
      }),
    [hidden, parts, leftOut, madeAt],
  );
  const waiting = chosen.filter(({ id }) => (parts.get(id) ?? LOADING).kind === 'loading');
  const save = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    setRefusal(await diagnostics.save(text));
    setBusy(false);
  };
  return (
    <>
      <p className={styles.about}>
        Collects what helps to find the cause into one text file. Nothing is sent anywhere: you decide who
        gets the file.
      </p>
      <div className={styles.columns}>
        <div className={styles.choices}>
          <Textarea
            label="What you did, and what happened"
            placeholder="Optional"
            rows={4}
            maxLength={LONGEST_NOTE}
            data-autofocus
            value={note}
            onChange={(event) => diagnostics.setNote(event.currentTarget.value)}
          />
          <fieldset className={styles.parts}>
            <legend>What the file holds</legend>
            {DIAGNOSTICS_PARTS.map(({ id, title, about }) => (
              <PartChoice
                key={id}
                title={title}
                about={about}
                part={parts.get(id) ?? LOADING}
                isChosen={!leftOut.has(id)}
                onChoose={(isChosen) => diagnostics.leaveOut(id, !isChosen)}
                onAgain={() => diagnostics.collect(id)}
              />
            ))}
          </fieldset>
        </div>
        <div className={styles.preview}>
          <div className={styles.previewHead}>
            <span>The file, as it will be saved</span>
            <span className={styles.size}>{bytes(new Blob([text]).size)}</span>
            <CopyTextButton label="Copy the text" read={() => text} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by keys too. */}
          <section tabIndex={0} aria-label="The text of the file">
            <pre data-selectable>{text}</pre>
          </section>
        </div>
      </div>
      {hidden.kind === 'failed' && <ErrorNote message={hidden.error.message} hint={hidden.error.hint} />}
      {refusal !== null && <ErrorNote message={refusal.message} hint={refusal.hint} />}
      <div className={styles.foot}>
        <p role="status">
          {waiting.length === 0
            ? 'Contents of studies are left out, known names and keys are hidden. A quoted message can still hold a name or a piece of a program: read it before you give it away.'
            : `Still collecting: ${waiting.map(({ title }) => title).join(', ')}. Leave a part out to save without it.`}
        </p>
        <Button variant="default" onClick={diagnostics.close}>
          Close
        </Button>
        <Button
          disabled={waiting.length > 0 || hidden.kind !== 'ready'}
          loading={busy}
          onClick={() => void save()}
        >
          Save as…
        </Button>
      </div>
    </>
  );
}

function PartChoice(props: {
  readonly title: string;
  readonly about: string;
  readonly part: Loadable<DiagnosticsPart>;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onAgain: () => void;
}) {
  const { title, about, part, isChosen, onChoose, onAgain } = props;
  const problem = problemOf(part);
  return (
    <div>
      <Checkbox
        size="xs"
        label={title}
        aria-label={title}
        description={part.kind === 'loading' && isChosen ? 'collecting…' : about}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {problem !== null && isChosen && (
        <p className={styles.problem} role="alert">
          Not collected: {problem}{' '}
          <button type="button" aria-label={`Collect again: ${title}`} onClick={onAgain}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function problemOf(part: Loadable<DiagnosticsPart>): string | null {
  if (part.kind === 'failed') return part.error.message;
  return readyValue(part)?.problem ?? null;
}

/** null: still being collected. */
function shownPart(id: DiagnosticsPartId, part: Loadable<DiagnosticsPart>): DiagnosticsPart | null {
  // The refusal may name files, so the text does not have it.
  if (part.kind === 'failed') return { id, text: '', problem: 'this part failed inside the workbench.' };
  return readyValue(part);
}

/** What was typed as the file will have it; loading until it is that of the present text. */
function useHiddenNote(note: string): Loadable<string> {
  const { client } = useWorkbench();
  const typed = note.trim();
  const answer = useDebouncedQuery(typed === '' ? null : { text: typed }, async ({ text: of }) => {
    const hidden = await client.call('diagnostics.hide', { text: of });
    return hidden.ok ? { ok: true as const, value: { of, text: hidden.value.text } } : hidden;
  });
  return useMemo(() => {
    if (typed === '') return { kind: 'ready', value: '' };
    if (answer === null) return LOADING;
    if (answer.kind !== 'ready') return answer;
    return answer.value.of === typed ? { kind: 'ready', value: answer.value.text } : LOADING;
  }, [typed, answer]);
}
