import type { ExperimentRequest, ExperimentRow } from '../experiment';
import { LOCAL_MACHINE } from '../folds/local-machine';
import type { ModelTraining, PocketTraining, TrainingRequest } from '../training-spec';
import { MAX_LABEL, MAX_ROWS, trainingsProblem } from './experiment-settings';
import type { OwnTrainer, TrainingField, TrainingFieldGroup } from './training-field';
import { MODEL_FIELD_GROUPS, POCKET_FIELD_GROUPS } from './training-fields';
import { TRAINING_METHODS, trainingMethodOf } from './training-methods';
import {
  modelOfTexts,
  pocketOfTexts,
  type TrainingTexts,
  textsOfModel,
  textsOfPocket,
} from './training-texts';

/** One setting with the values that it takes, as entered. */
export type SweptField = { readonly id: string; readonly values: readonly string[] };

/** What can be wrong: the setting that it is about, and why. */
export type SweepProblem = { readonly id: string; readonly message: string };
export type ReadSwept<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SweepProblem };

/** A setting that can take several values, as forms offer it. */
export type SweptSetting = {
  readonly id: string;
  readonly label: string;
  /** null: any number or text that it takes. */
  readonly choices: readonly string[] | null;
};

/** The training method, which is no field of the forms' tables. */
const METHOD_FIELD: TrainingField = {
  id: 'method',
  label: 'Training method',
  help: '',
  kind: { kind: 'choice', choices: TRAINING_METHODS.map(({ id, name }) => ({ value: id, label: name })) },
};

/** The parts of a training that a row of an experiment can change. */
const SWEPT_PARTS = new Set(
  'updates batch nodes treesPerRound problems rate refinement objective lora'.split(' '),
);

/** Settings whose values an experiment can compare. The evaluation is not among them: it has to be the same for all. */
export const SWEEP_FIELDS: Readonly<Record<OwnTrainer, readonly TrainingField[]>> = {
  pocket: [METHOD_FIELD, ...POCKET_FIELD_GROUPS.flatMap(sweptFieldsOf)],
  // Its problems are a list of a benchmark, not a number.
  model: [
    METHOD_FIELD,
    ...MODEL_FIELD_GROUPS.flatMap(sweptFieldsOf).filter(({ id }) => !id.startsWith('problems')),
  ],
};

/** Away from its group in the form, "Factor" says nothing without the group's title. */
function sweptFieldsOf({ id: group, title, fields }: TrainingFieldGroup): readonly TrainingField[] {
  return fields
    .filter(({ id }) => SWEPT_PARTS.has(partOf(id)))
    .map((field) => (group === 'size' ? field : { ...field, label: `${title}: ${field.label}` }));
}

function partOf(fieldId: string): string {
  return fieldId.split('.')[0] ?? fieldId;
}

/** An experiment of this training: a row for every combination of the values, each with every seed. */
export function sweepOf(
  request: TrainingRequest,
  spec: PocketTraining | ModelTraining,
  fields: readonly SweptField[],
  seeds: readonly number[],
): ReadSwept<ExperimentRequest> {
  if (spec.kind === 'pocket' && (request.machineId !== LOCAL_MACHINE || request.grader !== undefined)) {
    return refused(
      '',
      'Several pocket trainings run and are graded on this computer: choose no other machine or grader.',
    );
  }
  const problem = fieldsProblem(
    fields,
    SWEEP_FIELDS[spec.kind].map(({ id }) => id),
    MAX_ROWS,
  );
  if (problem !== null) return { ok: false, problem };
  const rows: ExperimentRow[] = [];
  for (const texts of combinations(fields)) {
    const row = rowOf(spec, texts);
    if ('message' in row) return { ok: false, problem: row };
    rows.push(row);
  }
  const tooMany = trainingsProblem(rows.length, seeds.length);
  if (tooMany !== null) return refused('', tooMany);
  if (spec.kind === 'model') {
    const { name, ...models } = request;
    return { ok: true, value: { name, rows, seeds: [...seeds], training: {}, models: { ...models, spec } } };
  }
  const { kind: _kind, method: _method, families: _families, seed: _seed, ...training } = spec;
  return { ok: true, value: { name: request.name, rows, seeds: [...seeds], training } };
}

/** `id`: the setting that it is about; empty: the sweep as a whole. */
export function refused(id: string, message: string): Extract<ReadSwept<never>, { ok: false }> {
  return { ok: false, problem: { id, message } };
}

/** What is wrong with the choice of settings and the number of their values; null: nothing. `known`: ids of those that can vary. */
export function fieldsProblem(
  fields: readonly SweptField[],
  known: readonly string[],
  mostCombinations: number,
): SweepProblem | null {
  let combined = 1;
  for (const [at, { id, values }] of fields.entries()) {
    if (!known.includes(id)) {
      return { id, message: `"${id}" cannot take several values. These can: ${known.join(', ')}.` };
    }
    if (fields.findIndex((other) => other.id === id) !== at) {
      return { id, message: `"${id}" is there twice. Put all of its values into one list.` };
    }
    if (values.length === 0) return { id, message: `"${id}" needs values, e.g. two with a comma between.` };
    const twice = values.find((value, place) => values.findIndex((other) => isSame(other, value)) !== place);
    if (twice !== undefined) return { id, message: `"${id}" has the value ${twice} twice.` };
    combined *= values.length;
    if (combined > mostCombinations) {
      return {
        id,
        message: `More than ${mostCombinations} combinations of values. Take fewer values, or two sweeps.`,
      };
    }
  }
  return null;
}

/** The first value that its setting does not take, by `problem`; null: there is none. */
export function valueProblem(
  fields: readonly SweptField[],
  problem: (id: string, text: string) => string | null,
): SweepProblem | null {
  for (const { id, values } of fields) {
    for (const value of values) {
      const message = problem(id, value);
      if (message !== null) return { id, message };
    }
  }
  return null;
}

/** The values of the last field change first; without fields there is one combination, which changes nothing. */
export function combinations(fields: readonly SweptField[]): readonly TrainingTexts[] {
  return fields.reduce<readonly TrainingTexts[]>(
    (before, { id, values }) => before.flatMap((texts) => values.map((value) => ({ ...texts, [id]: value }))),
    [{}],
  );
}

function rowOf(spec: PocketTraining | ModelTraining, texts: TrainingTexts): ExperimentRow | SweepProblem {
  const { method: methodText = spec.method, ...values } = texts;
  const method = TRAINING_METHODS.find(({ id }) => id === methodText)?.id;
  if (method === undefined) {
    const names = TRAINING_METHODS.map(({ id }) => id).join(', ');
    return { id: 'method', message: `There is no training method "${methodText}". There are: ${names}.` };
  }
  const usual = spec.kind === 'pocket' ? textsOfPocket(spec) : textsOfModel(spec);
  const changed = Object.entries(values).filter(([id, text]) => !isSame(text, usual[id] ?? ''));
  const whole = { ...usual, ...values };
  const read = spec.kind === 'pocket' ? pocketOfTexts(whole) : modelOfTexts(whole);
  if (!read.ok) {
    const [{ id, message } = { id: '', message: 'The values do not fit together.' }] = read.errors;
    return { id, message: `"${id}": ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
  }
  const long = labelOf(texts, method, SWEEP_FIELDS[spec.kind]);
  // By the words of the terminal where the form's have no room.
  const label = long.length > MAX_LABEL ? labelOf(texts, method, []) : long;
  if (label.length > MAX_LABEL) {
    return {
      id: '',
      message: `The row "${label}" has a name of more than ${MAX_LABEL} characters: vary fewer settings.`,
    };
  }
  const families = spec.kind === 'pocket' ? spec.families : spec.agents.map(({ id }) => id);
  return {
    label,
    method,
    families: [...families],
    change: partsOf(
      read.value,
      changed.map(([id]) => id),
    ),
  };
}

/** "1e-5" is "0.00001". */
function isSame(one: string, other: string): boolean {
  return one === other || (one !== '' && other !== '' && Number(one) === Number(other));
}

/** The parts of a training in which these fields are, complete. */
export function partsOf(settings: object, fieldIds: readonly string[]): ExperimentRow['change'] {
  const touched = new Set(fieldIds.map(partOf));
  return Object.fromEntries(Object.entries(settings).filter(([part]) => touched.has(part)));
}

/** e.g. "GRPO, Peak learning rate 1e-5, Reward shaping: Strength γ 0"; without values the method's name. */
function labelOf(
  { method: swept, ...values }: TrainingTexts,
  method: ExperimentRow['method'],
  fields: readonly TrainingField[],
): string {
  const named = Object.entries(values).map(([id, text]) => {
    const field = fields.find((one) => one.id === id);
    return `${field?.label ?? id.replace(/^objective\./, '')} ${text === '' ? 'off' : choiceText(field, text)}`;
  });
  const { name } = trainingMethodOf(method);
  return (swept === undefined && named.length > 0 ? named : [name, ...named]).join(', ');
}

/** What a form calls a choice, without its formula: "k3" of "k3: exp(−ℓ) − 1 + ℓ". */
function choiceText(field: TrainingField | undefined, text: string): string {
  const choices = field?.kind.kind === 'choice' ? field.kind.choices : [];
  return choices.find(({ value }) => value === text)?.label.split(':')[0] ?? text;
}
