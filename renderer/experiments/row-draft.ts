import type { ExperimentRow } from '../../preload/contract/experiment';
import type { TrainingMethod } from '../../preload/contract/learning';
import {
  changedFields,
  POCKET_FIELDS,
  type TrainingField,
  type TrainingTexts,
  trainingMethodOf,
} from '../../preload/contract/plans/index';

export type RowDraft = {
  readonly key: number;
  /** Empty: the method's name. */
  readonly label: string;
  readonly method: TrainingMethod;
  readonly families: readonly string[];
  /** Fields that differ from the common settings, as entered. */
  readonly overrides: TrainingTexts;
};

/** Fields that a row may override: all but the evaluation, which must be the same for all. */
export const ROW_FIELDS: readonly TrainingField[] = POCKET_FIELDS.filter(
  ({ id }) => !id.startsWith('evaluation.'),
);

/** `whole`: the texts of the row's training; `common`: the common settings. */
export function draftOfRow(
  { label, method, families }: ExperimentRow,
  whole: TrainingTexts,
  common: TrainingTexts,
): Omit<RowDraft, 'key'> {
  const own = Object.fromEntries(changedFields(whole, common).map((id) => [id, whole[id] ?? '']));
  return { label: label === trainingMethodOf(method).name ? '' : label, method, families, overrides: own };
}

export function rowLabel({ label, method }: Pick<RowDraft, 'label' | 'method'>): string {
  return label.trim() === '' ? trainingMethodOf(method).name : label.trim();
}

/** Overrides a field of one row; null removes the override. */
export function withOverride(row: RowDraft, id: string, text: string | null): RowDraft {
  const { [id]: _before, ...others } = row.overrides;
  return { ...row, overrides: text === null ? others : { ...others, [id]: text } };
}

/** The overrides of a row in words: "Updates of each agent 150", "Strength γ 0". */
export function differencesOf(row: RowDraft): readonly string[] {
  return ROW_FIELDS.flatMap((field) => {
    const text = row.overrides[field.id];
    return text === undefined ? [] : [`${field.label} ${wordsOf(field, text)}`];
  });
}

function wordsOf({ kind }: TrainingField, text: string): string {
  if (text.trim() === '') return 'off';
  return kind.kind === 'choice' ? (kind.choices.find(({ value }) => value === text)?.label ?? text) : text;
}
