import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconDots, IconPlus, IconX } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { TRAINING_FAMILIES, TRAINING_METHODS } from '../../preload/contract/plans/index';
import { TeamPicker } from '../shared/studies/index';
import { configurationColor } from '../theme/index';
import { ExplainedSelect, Select, SettingField, useStableCallback } from '../widgets/index';
import {
  type ExperimentDraft,
  type FieldId,
  withoutRow,
  withRow,
  withRowAdded,
  withRowCopied,
  withRowMoved,
} from './experiment-draft';
import styles from './new-experiment.module.css';
import { differencesOf, ROW_FIELDS, type RowDraft, rowLabel, withOverride } from './row-draft';

const METHODS = TRAINING_METHODS.map(({ id, name, line, isControl }) => ({
  value: id,
  label: name,
  line,
  mark: isControl ? 'control' : '',
}));
const FAMILIES = TRAINING_FAMILIES.map(({ id, line }) => ({ value: id, label: id, line }));
const STILL = { transitionProps: { duration: 0 } };

type RowProps = {
  readonly row: RowDraft;
  readonly position: number;
  readonly isLast: boolean;
  /** What all rows have in common, by field. */
  readonly texts: ExperimentDraft['texts'];
  readonly errorAt: (at: FieldId) => string | undefined;
  /** Called with the edited row. */
  readonly onRow: (row: RowDraft) => void;
  readonly onAction: (key: number, action: RowAction) => void;
};
type RowAction = 'copy' | 'up' | 'down' | 'remove';

/** The rows of the experiment: method, agents, and settings that differ. */
export function RowList(props: {
  readonly draft: ExperimentDraft;
  readonly errorAt: (at: FieldId) => string | undefined;
  readonly onChange: (draft: ExperimentDraft) => void;
}) {
  const { draft, errorAt, onChange } = props;
  const onRow = useStableCallback((row: RowDraft) => onChange(withRow(draft, row.key, row)));
  const onAction = useStableCallback((key: number, action: RowAction) =>
    onChange(applyAction(draft, key, action)),
  );
  return (
    <>
      <ol className={styles.rows} aria-label="Rows">
        {draft.rows.map((row, position) => (
          <RowItem
            key={row.key}
            row={row}
            position={position}
            isLast={position === draft.rows.length - 1}
            texts={draft.texts}
            errorAt={errorAt}
            onRow={onRow}
            onAction={onAction}
          />
        ))}
      </ol>
      <Button
        variant="subtle"
        size="compact-xs"
        ml={-7}
        leftSection={<IconPlus size={13} aria-hidden="true" />}
        onClick={() => onChange(withRowAdded(draft))}
      >
        Add a row
      </Button>
    </>
  );
}

function applyAction(draft: ExperimentDraft, key: number, action: RowAction): ExperimentDraft {
  switch (action) {
    case 'copy':
      return withRowCopied(draft, key);
    case 'up':
      return withRowMoved(draft, key, -1);
    case 'down':
      return withRowMoved(draft, key, 1);
    case 'remove':
      return withoutRow(draft, key);
  }
}

function hasError({ row: { key }, errorAt }: RowProps): boolean {
  return ['label', 'families', ...ROW_FIELDS.map(({ id }) => id)].some(
    (field) => errorAt(`${key} ${field}`) !== undefined,
  );
}

/** Rows are many and large: only those that changed, or that show an error, are rendered again. */
function rendersTheSame(before: RowProps, now: RowProps): boolean {
  return (
    before.row === now.row &&
    before.position === now.position &&
    before.isLast === now.isLast &&
    before.texts === now.texts &&
    !hasError(before) &&
    !hasError(now)
  );
}

const RowItem = memo(function RowItem(props: RowProps) {
  const { errorAt, row, position, onRow } = props;
  const { key } = row;
  const hasOverrideError = Object.keys(row.overrides).some((id) => errorAt(`${key} ${id}`) !== undefined);
  const [isOpen, setOpen] = useState(false);
  const number = position + 1;
  const differences = differencesOf(row);
  const edit = (part: Partial<RowDraft>): void => onRow({ ...row, ...part });
  return (
    <li className={styles.row}>
      <div className={styles.rowLine}>
        <i style={{ background: configurationColor(position) }} />
        <TextInput
          aria-label={`Name of row ${number}`}
          placeholder={rowLabel({ ...row, label: '' })}
          autoComplete="off"
          error={errorAt(`${key} label`)}
          value={row.label}
          onChange={(event) => edit({ label: event.currentTarget.value })}
        />
        <ExplainedSelect
          label={`Method of row ${number}`}
          width="100%"
          value={row.method}
          options={METHODS}
          onChange={(method) => edit({ method })}
        />
        <TeamPicker
          label={`Agents of row ${number}`}
          showLabel={false}
          options={FAMILIES}
          members={row.families}
          most={4}
          error={errorAt(`${key} families`)}
          onChange={(families) => edit({ families })}
        />
        <RowMenu {...props} onDiffer={() => setOpen(true)} />
      </div>
      {isOpen || hasOverrideError ? (
        <div className={styles.own}>
          <OverrideFields {...props} onClose={() => setOpen(false)} />
        </div>
      ) : (
        differences.length > 0 && (
          <div className={`${styles.own} ${styles.differences}`}>
            {differences.map((text) => (
              <span key={text}>{text}</span>
            ))}
            <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
              Change
            </Button>
          </div>
        )
      )}
    </li>
  );
}, rendersTheSame);

function RowMenu(props: RowProps & { readonly onDiffer: () => void }) {
  const { row, position, isLast, onAction, onDiffer } = props;
  const { key } = row;
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon className={styles.rowButtons} aria-label={`Actions for row ${position + 1}`}>
          <IconDots size={14} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onDiffer}>Change settings for this row</Menu.Item>
        <Menu.Item onClick={() => onAction(key, 'copy')}>Copy</Menu.Item>
        <Menu.Item disabled={position === 0} onClick={() => onAction(key, 'up')}>
          Move up
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => onAction(key, 'down')}>
          Move down
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onAction(key, 'remove')}>Remove</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The fields that this row overrides. */
function OverrideFields(props: RowProps & { readonly onClose: () => void }) {
  const { texts, errorAt, row, onRow, onClose } = props;
  const put = (id: string, text: string | null): void => onRow(withOverride(row, id, text));
  const own = ROW_FIELDS.filter(({ id }) => row.overrides[id] !== undefined);
  const others = ROW_FIELDS.filter(({ id }) => row.overrides[id] === undefined);
  return (
    <>
      <div className={styles.ownFields}>
        {own.map(({ id, label, unit, kind }) => (
          <div key={id} className={styles.ownField}>
            <SettingField
              label={label}
              unit={unit}
              choices={kind.kind === 'choice' ? kind.choices : undefined}
              value={row.overrides[id] ?? ''}
              error={errorAt(`${row.key} ${id}`)}
              onChange={(text) => put(id, text)}
            />
            <ActionIcon aria-label={`Reset ${label} to the common setting`} onClick={() => put(id, null)}>
              <IconX size={13} aria-hidden="true" />
            </ActionIcon>
          </div>
        ))}
      </div>
      <div className={styles.differences}>
        <Select
          aria-label="Add a setting to change"
          w={230}
          searchable
          placeholder="Change a setting"
          comboboxProps={STILL}
          value={null}
          data={others.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => id !== null && put(id, texts[id] ?? '')}
        />
        <Button variant="subtle" size="compact-xs" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
