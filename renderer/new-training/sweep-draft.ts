import type { ExperimentRequest } from '../../preload/contract/experiment';
import { requiredSeeds, sweepOf } from '../../preload/contract/plans/index';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import { type FieldError, missing, wrong } from './form-errors';

/** Several trainings instead of one: settings with the values that they take, and seeds, as entered. */
export type SweepDraft = {
  readonly fields: readonly { readonly id: string; readonly values: string }[];
  /** Empty: the training's own. */
  readonly seeds: string;
};

export const NO_SWEEP: SweepDraft = { fields: [], seeds: '' };

/** Where an error of a swept setting is shown. */
export const sweepField = (id: string): string => `sweep ${id}`;

export function isSweep({ fields, seeds }: SweepDraft): boolean {
  return fields.length > 0 || seeds.trim() !== '';
}

/** The experiment of this training; null: it is trained once, or something is wrong. */
export function checkSweep(
  draft: SweepDraft,
  request: TrainingRequest | null,
): { readonly errors: readonly FieldError[]; readonly experiment: ExperimentRequest | null } {
  if (!isSweep(draft) || request === null) return { errors: [], experiment: null };
  const { spec } = request;
  if (spec.kind !== 'pocket' && spec.kind !== 'model') return { errors: [], experiment: null };
  const seeds = requiredSeeds(draft.seeds.trim() === '' ? String(spec.seed) : draft.seeds);
  if (!seeds.ok) return { errors: [wrong(sweepField('seeds'), seeds.message)], experiment: null };
  const fields = draft.fields.map(({ id, values }) => ({ id, values: valuesOf(values) }));
  const empty = fields.filter(({ values }) => values.length === 0);
  if (empty.length > 0) {
    const errors = empty.map(({ id }) => missing(sweepField(id), 'Enter values with commas between.'));
    return { errors, experiment: null };
  }
  const read = sweepOf(request, fields, seeds.value);
  if (read.ok) return { errors: [], experiment: read.value };
  const { id, message } = read.problem;
  return { errors: [wrong(id === '' ? 'sweep' : sweepField(id), message)], experiment: null };
}

function valuesOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
