import type { ExperimentRequest } from '../experiment';
import type { Recipe } from '../recipe';
import type { MartiTraining, RecipeTraining, TrainingRequest } from '../training-spec';
import { MAX_TRAININGS } from './experiment-settings';
import type { MartiPreset } from './marti-flag';
import { MARTI_FLAGS } from './marti-flags';
import { flagProblem, flagValue, martiFlag } from './marti-values';
import { recipeValueProblem } from './recipe-values';
import {
  combinations,
  fieldsProblem,
  type ReadSwept,
  refused,
  type SweptField,
  type SweptSetting,
  sweepOf,
  valueProblem,
} from './sweeps';
import type { TrainingTexts } from './training-texts';

/** What several values and seeds of a training make. */
export type Sweep =
  | { readonly kind: 'experiment'; readonly experiment: ExperimentRequest }
  /** By another trainer, which measures in its own way (`sweepOfTraining`). */
  | { readonly kind: 'trainings'; readonly trainings: readonly TrainingRequest[] };

/** What differs between MARTI and recipes. */
type OtherTrainer = {
  readonly settings: readonly SweptSetting[];
  /** What is wrong with a value of a setting, as a sentence; null: nothing. */
  readonly problem: (id: string, text: string) => string | null;
  /** The training with these values, in a folder of this name below its own. */
  readonly spec: (texts: TrainingTexts, folder: string) => TrainingRequest['spec'];
};

/** Most characters of a training's name. */
const MAX_NAME = 120;
/** The setting of MARTI and of the recipes that seeds go into. */
export const SEED_SETTING = 'seed';

/** Said wherever such trainings are planned or started. */
export const OWN_MEASURES_NOTE =
  'A table compares the evaluations that they log, over their seeds: on the page of one of them, under Evaluation, and in "mars2 trainings sweep". MARTI and other trainers measure in their own ways, not all on the same problems. To measure them alike, evaluate their checkpoints in one study.';

/** How such trainings share machines. `gpus`: of the first; its settings say how many, so others may take more. */
export function queueText(gpus: number): string {
  return gpus === 0
    ? 'The first takes no GPU. Trainings without GPUs all start at once, except on a Slurm cluster, where they are one job array.'
    : `The first takes ${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}. They wait for free GPUs; on a Slurm cluster those that ask for the same are one job array.`;
}

/** A training with several values and seeds. `recipe`: of a training by one; null: there is none. `seeds` null: its own. */
export function readSweep(
  request: TrainingRequest,
  recipe: Recipe | null,
  fields: readonly SweptField[],
  seeds: readonly number[] | null,
): ReadSwept<Sweep> {
  const { spec } = request;
  if (spec.kind === 'pocket' || spec.kind === 'model') {
    const read = sweepOf(request, spec, fields, seeds ?? [spec.seed]);
    return read.ok ? { ok: true, value: { kind: 'experiment', experiment: read.value } } : read;
  }
  if (spec.kind === 'watched') {
    return refused('', 'It was started by others and is only watched, so it cannot be started here.');
  }
  if (spec.kind === 'marti') return trainingsOf(request, ofMarti(spec), fields, seeds);
  if (recipe === null) {
    return refused('', `There is no recipe "${spec.recipeId}". "mars2 trainings recipes" lists them.`);
  }
  if (outputFields(recipe).length === 0) {
    return refused(
      '',
      `The recipe "${recipe.name}" does not say where its trainer writes, so several trainings could overwrite one another: name a path field in its "checkpoints" or "tensorboard", as in "{output}".`,
    );
  }
  return trainingsOf(request, ofRecipe(spec, recipe), fields, seeds);
}

/** The settings of MARTI that a preset passes, or leaves to a default of MARTI. Each training gets an output folder of its own. */
export function martiSweepSettings(preset: MartiPreset): readonly SweptSetting[] {
  return MARTI_FLAGS.filter(
    ({ defaults, martiDefault }) => defaults[preset] !== null || martiDefault !== null,
  ).map(({ name, label, takes }) => ({
    id: name,
    label,
    choices: takes.kind === 'choice' ? takes.choices : takes.kind === 'switch' ? ['on', 'off'] : null,
  }));
}

/** The fields of a recipe that reach its command, except those for the output folder. */
export function recipeSweepSettings(recipe: Recipe): readonly SweptSetting[] {
  const outputs = outputFields(recipe);
  const words = recipe.command.flat();
  return recipe.fields
    .filter(({ name }) => !outputs.includes(name) && words.some((word) => hasField(word, name)))
    .map(({ name, label, choices }) => ({ id: name, label, choices: choices ?? null }));
}

/** The path fields below which a recipe's trainer writes. */
function outputFields({ fields, checkpoints, tensorboard, rollouts }: Recipe): readonly string[] {
  const places = [checkpoints ?? '', tensorboard ?? '', rollouts?.folder ?? ''];
  return fields
    .filter(({ kind, name }) => kind === 'path' && places.some((place) => hasField(place, name)))
    .map(({ name }) => name);
}

function hasField(template: string, field: string): boolean {
  return template.includes(`{${field}}`);
}

function ofMarti(spec: MartiTraining): OtherTrainer {
  return {
    settings: martiSweepSettings(spec.preset),
    problem: (id, text) => {
      const flag = martiFlag(id);
      return flag === null ? null : flagProblem(flag, flagValue(flag, text));
    },
    spec: (texts, folder) => {
      const changed = MARTI_FLAGS.flatMap((flag) => {
        const text = texts[flag.name];
        return text === undefined ? [] : [[flag.name, flagValue(flag, text)] as const];
      });
      const flags = { ...spec.flags, ...Object.fromEntries(changed) };
      return { ...spec, flags, output: below(spec.output, folder) };
    },
  };
}

function ofRecipe(spec: RecipeTraining, recipe: Recipe): OtherTrainer {
  const outputs = outputFields(recipe);
  return {
    settings: recipeSweepSettings(recipe),
    problem: (id, text) => {
      const field = recipe.fields.find(({ name }) => name === id);
      return field === undefined ? null : recipeValueProblem(field, text);
    },
    spec: (texts, folder) => {
      const places = recipe.fields
        .filter(({ name }) => outputs.includes(name))
        .map((field) => [field.name, below(spec.values[field.name] ?? field.default, folder)] as const);
      return { ...spec, values: { ...spec.values, ...texts, ...Object.fromEntries(places) } };
    },
  };
}

/** An empty place stays empty, so that the check of its field names it. */
function below(place: string, folder: string): string {
  const trimmed = place.trim().replace(/(?<!\/)\/+$/, '');
  return trimmed === '' ? '' : `${trimmed}/${folder}`;
}

/** One for every combination of the values and seeds, named by them, each in a folder of its own. */
function trainingsOf(
  request: TrainingRequest,
  trainer: OtherTrainer,
  varied: readonly SweptField[],
  seeds: readonly number[] | null,
): ReadSwept<Sweep> {
  const fields = seeds === null ? varied : [...varied, { id: SEED_SETTING, values: seeds.map(String) }];
  const known = trainer.settings.map(({ id }) => id);
  const problem = fieldsProblem(fields, known, MAX_TRAININGS) ?? valueProblem(fields, trainer.problem);
  if (problem !== null) return { ok: false, problem };
  const trainings: TrainingRequest[] = [];
  const folders = new Set<string>();
  for (const texts of combinations(fields)) {
    const parts = Object.entries(texts).map(([id, text]) => `${id} ${text === '' ? 'left out' : text}`);
    const name = [request.name, ...parts].join(', ');
    if (name.length > MAX_NAME) {
      const why = `has more than ${MAX_NAME} characters`;
      return refused('', `The name "${name}" ${why}: shorten the training's name, or vary fewer settings.`);
    }
    const folder = parts.map((part) => part.replace(/[^\w.-]+/g, '-')).join('_');
    if (folders.has(folder)) {
      return refused(
        '',
        `Two of the trainings would write to the folder "${folder}": leave one of them out.`,
      );
    }
    folders.add(folder);
    trainings.push({ ...request, name, spec: trainer.spec(texts, folder) });
  }
  return { ok: true, value: { kind: 'trainings', trainings } };
}
