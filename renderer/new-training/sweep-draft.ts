import { assertNever } from '../../preload/contract/assert-never';
import {
  martiSweepSettings,
  readSweep,
  recipeSweepSettings,
  requiredSeeds,
  SEED_SETTING,
  SWEEP_FIELDS,
  type Sweep,
  type SweptSetting,
} from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import { listsInUse, NO_VALUES, readLists, type ValueList } from '../widgets/typed-values';
import { type FieldError, missing, wrong } from './form-errors';
import type { TrainingDraft } from './training-draft';

/** Several trainings instead of one: settings with the values that they take, and seeds, as entered. */
export type SweepDraft = {
  readonly fields: readonly ValueList[];
  /** Empty: the training's own. */
  readonly seeds: string;
};

export const NO_SWEEP: SweepDraft = { fields: [], seeds: '' };

/** Where an error of a swept setting is shown. */
export const sweepField = (id: string): string => `sweep ${id}`;

/** The settings of the chosen trainer that can vary; `recipe`: the selected one. */
export function sweepSettings(
  { kind, marti }: Pick<TrainingDraft, 'kind' | 'marti'>,
  recipe: Recipe | null,
): readonly SweptSetting[] {
  switch (kind) {
    case 'pocket':
    case 'model':
      return SWEEP_FIELDS[kind].map(({ id, label, kind: takes }) => ({
        id,
        label,
        choices: takes.kind === 'choice' ? takes.choices.map(({ value }) => value) : null,
      }));
    case 'marti':
      return martiSweepSettings(marti.preset);
    case 'recipe':
      return recipe === null ? [] : recipeSweepSettings(recipe);
    default:
      return assertNever(kind);
  }
}

/** Without the settings of trainers that are not chosen now. */
export function shownSweep({ fields, seeds }: SweepDraft, settings: readonly SweptSetting[]): SweepDraft {
  return { fields: listsInUse(fields, settings), seeds };
}

export function isSweep({ fields, seeds }: SweepDraft): boolean {
  return fields.length > 0 || seeds.trim() !== '';
}

/** What this training makes with several values and seeds; null: it is trained once, or something is wrong. */
export function checkSweep(
  draft: SweepDraft,
  request: TrainingRequest | null,
  recipe: Recipe | null,
): { readonly errors: readonly FieldError[]; readonly sweep: Sweep | null } {
  if (!isSweep(draft)) return { errors: [], sweep: null };
  const seeds = draft.seeds.trim() === '' ? null : requiredSeeds(draft.seeds);
  if (seeds !== null && !seeds.ok) {
    return { errors: [wrong(sweepField('seeds'), seeds.message)], sweep: null };
  }
  const { fields, empty } = readLists(draft.fields);
  if (empty.length > 0) {
    return { errors: empty.map((id) => missing(sweepField(id), NO_VALUES)), sweep: null };
  }
  // The rest depends on the other fields.
  if (request === null) return { errors: [], sweep: null };
  const read = readSweep(request, recipe, fields, seeds?.value ?? null);
  if (read.ok) return { errors: [], sweep: read.value };
  const { id, message } = read.problem;
  const at = id === '' ? 'sweep' : sweepField(id === SEED_SETTING ? 'seeds' : id);
  // The terminal calls it by the word that is typed there.
  const label = labelOf(request.spec.kind, id);
  return {
    errors: [wrong(at, label === null ? message : message.replaceAll(`"${id}"`, `"${label}"`))],
    sweep: null,
  };
}

/** What the form calls a setting of our own trainers; null: another trainer's is called by its flag or field. */
function labelOf(kind: TrainingRequest['spec']['kind'], id: string): string | null {
  if (kind !== 'pocket' && kind !== 'model') return null;
  return SWEEP_FIELDS[kind].find((field) => field.id === id)?.label ?? null;
}

/**
 * A default name that tells an experiment from a plain training: "Heter-MARS², reader + tracer, by Peak learning rate, seeds
 * 1-3".
 */
export function sweptName(name: string, draft: Pick<TrainingDraft, 'kind' | 'marti' | 'sweep'>): string {
  const { fields, seeds } = shownSweep(draft.sweep, sweepSettings(draft, null));
  const labels = fields.map(({ id }) => labelOf(draft.kind, id) ?? id);
  return [
    name,
    ...(labels.length === 0 ? [] : [`by ${labels.join(' and ')}`]),
    ...(seeds.trim() === '' ? [] : [`seeds ${seeds.trim()}`]),
  ]
    .join(', ')
    .slice(0, 120);
}
