import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { EnteredValue } from '../../preload/contract/entered-value';
import type { Exhibit, ExhibitEntry } from '../../preload/contract/exhibit';
import { enteredSource, measuresRate } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { useWorkbench } from '../state/index';
import {
  Dialog,
  Fields,
  FormRefusal,
  plural,
  Select,
  SettingField,
  SubmitByKey,
  usePress,
} from '../widgets/index';
import styles from './entered.module.css';
import {
  checkEntered,
  type DraftErrors,
  draftOf,
  type EnteredDraft,
  emptyDraft,
  enteredTargets,
  isNewLine,
  isPoint,
} from './entered-draft';

/** Enters values that our sources lack, by somebody who has the paper; they keep page and table as their source. */
export function EnteredDialog(props: {
  readonly entry: ExhibitEntry;
  /** A cell or line to begin with; null: the first that lacks a value. */
  readonly chosen: string | null;
  readonly onClose: () => void;
}) {
  const { entry, chosen, onClose } = props;
  const { exhibit, entered = [] } = entry;
  const { exhibits } = useWorkbench();
  const [draft, setDraft] = useState(() => {
    const before = chosen === null ? undefined : entered.find(({ at }) => nameOf(at) === chosen);
    return before === undefined ? emptyDraft(exhibit, chosen) : draftOf(exhibit, before);
  });
  const [isTried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [removed, setRemoved] = useState<EnteredValue | null>(null);
  const { value, errors } = checkEntered(exhibit, draft);
  const enter = async (values: EnteredValue): Promise<void> => {
    const refused = await exhibits.setValue(exhibit.id, values);
    setRefusal(refused);
    if (refused !== null) return;
    setRemoved(null);
    setTried(false);
    // The next value is often of the same table.
    setDraft({ ...draft, value: '', x: '', note: '' });
  };
  const { busy, press } = usePress(async () => {
    setTried(true);
    if (value !== null) await enter(value);
  });
  return (
    <Dialog opened onClose={onClose} title="Values of the paper" size="lg">
      <SubmitByKey busy={busy} onSubmit={press}>
        <Stack gap="sm">
          <p className={styles.explained}>
            For a lab that has the paper: enter what our sources lack. Each value says everywhere that your
            lab entered it, and from which page and table.
          </p>
          <ValueFields
            exhibit={exhibit}
            draft={draft}
            errors={isTried ? errors : {}}
            onDraft={(next) => {
              setRefusal(null);
              setDraft(next);
            }}
          />
          {refusal !== null && (
            <FormRefusal title="Nothing was entered" message={refusal.message} hint={refusal.hint} />
          )}
          <Group justify="flex-end">
            <Button loading={busy} title="Ctrl+Enter" onClick={press}>
              Enter value
            </Button>
          </Group>
          <EnteredList
            exhibit={exhibit}
            entered={entered}
            removed={removed}
            onEdit={(one) => setDraft(draftOf(exhibit, one))}
            onRemove={async (one) => {
              if (await exhibits.removeValue(exhibit.id, one.at)) setRemoved(one);
            }}
            onUndo={(one) => void enter(one)}
          />
        </Stack>
      </SubmitByKey>
    </Dialog>
  );
}

function ValueFields(props: {
  readonly exhibit: Exhibit;
  readonly draft: EnteredDraft;
  readonly errors: DraftErrors;
  readonly onDraft: (draft: EnteredDraft) => void;
}) {
  const { exhibit, draft, errors, onDraft } = props;
  const field = (name: keyof EnteredDraft) => ({
    value: draft[name],
    error: errors[name],
    onChange: (text: string) => onDraft({ ...draft, [name]: text.slice(0, LONGEST[name]) }),
  });
  const unit = isPercent(exhibit, draft) ? '%' : undefined;
  return (
    <>
      <Select
        label="For"
        searchable
        allowDeselect={false}
        value={draft.target}
        data={[...enteredTargets(exhibit)]}
        onChange={(target) => target !== null && onDraft({ ...draft, target })}
      />
      <Fields>
        {isNewLine(draft) && <SettingField label="Line" help="As the figure calls it." {...field('line')} />}
        {isPoint(draft) && <SettingField label="x" help="On the figure's x axis." {...field('x')} />}
        <SettingField label="Value" unit={unit} help="As the paper prints it." {...field('value')} />
        <SettingField label="Page" help="Of the PDF." {...field('page')} />
        <SettingField label="Table or figure" help="E.g. Table 3." {...field('where')} />
        <SettingField label="Note" help="If something needs saying." {...field('note')} />
      </Fields>
    </>
  );
}

const LONGEST: Readonly<Record<keyof EnteredDraft, number>> = {
  target: 200,
  line: 80,
  x: 20,
  value: 20,
  page: 4,
  where: 60,
  note: 200,
};

function isPercent(exhibit: Exhibit, draft: EnteredDraft): boolean {
  const cell = exhibit.cells.find(({ row, column }) => draft.target === `cell:${row}.${column}`);
  return cell === undefined || measuresRate(cell.measure);
}

/** As the screen calls the cell or line. */
function nameOf(at: EnteredValue['at']): string {
  return at.kind === 'cell' ? `${at.row}.${at.column}` : at.line;
}

function EnteredList(props: {
  readonly exhibit: Exhibit;
  readonly entered: readonly EnteredValue[];
  readonly removed: EnteredValue | null;
  readonly onEdit: (value: EnteredValue) => void;
  readonly onRemove: (value: EnteredValue) => void;
  readonly onUndo: (value: EnteredValue) => void;
}) {
  const { exhibit, entered, removed, onEdit, onRemove, onUndo } = props;
  const labels = new Map(enteredTargets(exhibit).map(({ value, label }) => [value, label]));
  const labelOf = (one: EnteredValue): string => {
    const { target, line, x } = draftOf(exhibit, one);
    const name = line === '' ? (labels.get(target) ?? nameOf(one.at)) : `Line: ${line}`;
    return `${name.replace(' (has a value)', '')}${one.at.kind === 'point' ? `, x = ${x}` : ''}`;
  };
  if (entered.length === 0 && removed === null) return null;
  return (
    <section aria-label="Entered by your lab">
      <h3 className={styles.head}>Entered by your lab: {plural(entered.length, 'value')}</h3>
      {removed !== null && (
        <p className={styles.removed} role="status">
          Removed {removed.value} of {labelOf(removed)}.
          <Button size="compact-xs" variant="subtle" onClick={() => onUndo(removed)}>
            Undo
          </Button>
        </p>
      )}
      <ul className={styles.list}>
        {entered.map((one) => (
          <li key={JSON.stringify(one.at)}>
            <b>{one.value}</b>
            <span>
              {labelOf(one)}
              <small>{enteredSource(one)}</small>
            </span>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Edit the value of ${labelOf(one)}`}
              onClick={() => onEdit(one)}
            >
              Edit
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              aria-label={`Remove the value of ${labelOf(one)}`}
              onClick={() => onRemove(one)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
