import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { type ChosenParts, partsWith, standInTextInFull } from '../../preload/contract/plans/index';
import type { ExhibitScale } from '../state/index';
import { CheckList, Disclosure, FormError, plural } from '../widgets/index';
import { choiceOf, chosenOurs, chosenText, defaultParts, partsOf } from './chosen-parts';
import type { DraftFieldProps } from './reproduction-draft';
import { rowName } from './table-layout';

/** Which rows, columns and lines are measured; the plan and its cost follow. */
export function PartFields(props: DraftFieldProps & { readonly scale: ExhibitScale }) {
  const { exhibit, draft, errors, scale, onDraft } = props;
  const { rows, columns, series } = exhibit;
  const [open, setOpen] = useState(false);
  const error = errors.find(({ at }) => at === 'parts')?.message;
  const chosen =
    draft.only === null ? (draft.parts ?? defaultParts(exhibit, scale)) : partsOf(exhibit, draft.only);
  const ours = chosenOurs(exhibit, chosen);
  const choose = (part: Partial<ChosenParts>): void =>
    onDraft({ ...draft, only: null, parts: choiceOf(exhibit, scale, { ...chosen, ...part }) });
  const named = (line: { readonly id: string; readonly label: string; readonly group?: string }) => ({
    id: line.id,
    label: standInTextInFull(exhibit, scale, rowName({ group: '', ...line })),
  });
  return (
    <Disclosure
      label="Rows, columns, lines"
      note={
        draft.only === null
          ? chosenText(exhibit, chosen) || 'as in the exhibit'
          : `${plural(draft.only.length, 'value')}, as asked for last`
      }
      open={open || error !== undefined}
      onToggle={() => setOpen(!open)}
    >
      {ours.number > 0 && (
        <Checkbox
          size="xs"
          mt={4}
          label={`Of ours, not in the paper: controls and other additions (${ours.chosen} of ${ours.number})`}
          checked={ours.chosen === ours.number}
          indeterminate={ours.chosen > 0 && ours.chosen < ours.number}
          onChange={(event) => choose(partsWith(exhibit, chosen, ours.parts, event.currentTarget.checked))}
        />
      )}
      <CheckList
        label="All rows"
        items={rows.map(named)}
        ticked={chosen.rows}
        onTick={(ids) => choose({ rows: ids })}
      />
      {/* With one column the rows are the choice. */}
      {columns.length > 1 && (
        <CheckList
          label="All columns"
          items={columns.map(named)}
          ticked={chosen.columns}
          onTick={(ids) => choose({ columns: ids })}
        />
      )}
      <CheckList
        label="All lines"
        items={series.map(named)}
        ticked={chosen.lines}
        onTick={(ids) => choose({ lines: ids })}
      />
      <FormError text={error} />
    </Disclosure>
  );
}
