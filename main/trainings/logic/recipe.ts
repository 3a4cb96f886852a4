import {
  type JobResources,
  type Recipe,
  type RecipeTraining,
  recipeSchema,
  type TrainingRequest,
} from '../../../preload/contract';
import { checkedText, extraProblems, recipeValueProblem } from '../../../preload/contract/plans';
import { failed, ok, type Result } from '../../base';
import { homePath, shellWordWithHome } from './home-path';
import type { PreparedTraining } from './prepared';

/** Prepares a training that uses a recipe as a job. */
export function prepareRecipe(
  request: TrainingRequest,
  training: RecipeTraining,
  recipe: Recipe,
): PreparedTraining {
  const words = argumentsOf(recipe, recipeValues(recipe, training)).map(shellWordWithHome);
  const { resources, problems } = recipeResources(request.resources, recipe, training);
  return {
    commandLine: [...words, training.extraArguments.trim()].filter((word) => word !== '').join(' '),
    setUp: '',
    env: {},
    resources,
    gpus: resources.gpus,
    notes: [
      ...(recipe.about === '' ? [] : [recipe.about]),
      checkedText(recipe),
      `Documentation: ${recipe.homepage}`,
      recipe.resumes
        ? 'Resuming runs the same command again, which continues from its newest checkpoint.'
        : 'Resuming runs the same command again; whether it continues from a checkpoint depends on the trainer.',
    ],
    problems: [...recipeRequestProblems(recipe, training), ...problems],
  };
}

/** The words of the command, in which paths may begin with the home folder (home-path.ts). */
export function argumentsOf({ command }: Pick<Recipe, 'command'>, values: Values): string[] {
  return command.flatMap((part) => {
    const filled = [part].flat().map((word) => fillTemplate(word, values));
    return filled.includes(null) ? [] : filled.flatMap((word) => word ?? []);
  });
}

/** Most GPUs that a job may request (`jobResourcesSchema`). */
const MAX_GPUS = 64;

/** The GPUs that its field names, unless others are requested, which is a problem. */
function recipeResources(
  resources: JobResources,
  recipe: Recipe,
  training: RecipeTraining,
): { readonly resources: JobResources; readonly problems: readonly string[] } {
  const field = recipe.fields.find(({ name }) => name === recipe.gpus);
  if (field === undefined) return { resources, problems: [] };
  const gpus = Number(recipeValues(recipe, training)[field.name] || '0');
  if (!Number.isInteger(gpus) || gpus < 0 || gpus > MAX_GPUS) {
    return { resources, problems: [`"${field.label}" must be a whole number from 0 to ${MAX_GPUS}.`] };
  }
  const requested = resources.gpuIds?.length ?? resources.gpus;
  if (requested === 0 || requested === gpus) return { resources: { ...resources, gpus }, problems: [] };
  const message = `"${field.label}" is ${gpus}, but ${requested} GPUs are requested. Make them equal, or request none.`;
  return { resources, problems: [message] };
}

/** A field's name in braces. JSON's braces contain quotes or nothing, so they do not match. */
const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;

type Values = Readonly<Record<string, string>>;

/** Names of the fields used in a template. */
function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '');
}

/** Values of the fields: those provided, else the recipe's defaults. Paths may begin with "~" (home-path.ts). */
export function recipeValues(recipe: Recipe, { values }: Pick<RecipeTraining, 'values'>): Values {
  return Object.fromEntries(
    recipe.fields.map((field) => {
      const value = values[field.name] ?? field.default;
      return [field.name, field.kind === 'path' ? homePath(value) : value.trim()];
    }),
  );
}

/**
 * Fills in the fields of a template; null if one of them is empty: then the whole word is dropped, so that an optional
 * flag disappears together with its value ("--seed={seed}").
 */
export function fillTemplate(text: string, values: Values): string | null {
  if (placeholdersIn(text).some((name) => (values[name] ?? '') === '')) return null;
  // A replacer function, since a value may contain "$&".
  return text.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '');
}

/** A problem of the recipe that its schema cannot express; null: none. */
function recipeProblem(recipe: Recipe): string | null {
  const names = recipe.fields.map(({ name }) => name);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) return `it has two fields named "${duplicate}"`;
  const { tensorboard, checkpoints, rollouts } = recipe;
  const texts = [...recipe.command.flat(), tensorboard ?? '', checkpoints ?? '', rollouts?.folder ?? ''];
  const unknown = texts.flatMap(placeholdersIn).find((name) => !names.includes(name));
  if (unknown !== undefined) return `it uses the field {${unknown}}, which it does not define`;
  const [program] = recipe.command.flat();
  if (program !== undefined && placeholdersIn(program).length > 0) {
    return 'its command begins with a field, so it could run any program';
  }
  if (
    recipe.gpus !== null &&
    !recipe.fields.some(({ name, kind }) => name === recipe.gpus && kind === 'number')
  ) {
    return `its "gpus" is "${recipe.gpus}", which is none of its number fields`;
  }
  const counted = recipe.multiple === null ? [] : [...recipe.multiple.product, recipe.multiple.of];
  const uncounted = counted.find(
    (name) => !recipe.fields.some((field) => field.name === name && field.kind === 'number'),
  );
  if (uncounted !== undefined) return `its "multiple" has "${uncounted}", which is none of its number fields`;
  for (const { name, kind, choices, default: own, required } of recipe.fields) {
    if (kind === 'choice' && (choices ?? []).length === 0) return `its field "${name}" has no choices`;
    if (kind === 'choice' && own !== '' && !choices?.includes(own)) {
      return `the default of its field "${name}" is not among the choices`;
    }
    if (kind === 'number' && own !== '' && !Number.isFinite(Number(own))) {
      return `the default of its field "${name}" is not a number`;
    }
    if (required && kind === 'choice' && own === '') return `its field "${name}" needs a default`;
  }
  return null;
}

/** Problems of a training request that uses the recipe, one sentence each. */
export function recipeRequestProblems(recipe: Recipe, training: RecipeTraining): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(training.values)) {
    if (!recipe.fields.some((field) => field.name === name)) {
      problems.push(`The recipe "${recipe.name}" has no field "${name}".`);
    }
  }
  for (const field of recipe.fields) {
    const problem = recipeValueProblem(field, (training.values[field.name] ?? field.default).trim());
    if (problem !== null) problems.push(problem);
  }
  return [...problems, ...multipleProblems(recipe, training), ...extraProblems(training.extraArguments)];
}

/** A product of fields that leaves a remainder. Extra arguments may change the counts, so then nothing is said. */
function multipleProblems(recipe: Recipe, training: RecipeTraining): string[] {
  if (recipe.multiple === null || training.extraArguments.trim() !== '') return [];
  const { product, of } = recipe.multiple;
  const values = recipeValues(recipe, training);
  const countOf = (name: string) => Number(values[name]) || (name === recipe.gpus ? 1 : Number.NaN);
  const labelOf = (name: string) => `"${recipe.fields.find((field) => field.name === name)?.label ?? name}"`;
  const total = product.reduce((sum, name) => sum * countOf(name), 1);
  // NaN where a field is no number, which is a problem of its own.
  if (!(total % countOf(of) > 0)) return [];
  const factors = product
    .map((name) => `${labelOf(name)} (${values[name] === '0' ? '0 counts as 1' : countOf(name)})`)
    .join(' times ');
  return [`${factors} is ${total}, which must be a multiple of ${labelOf(of)} (${countOf(of)}).`];
}

/** Parses a recipe file; the error says what is wrong with it. */
export function readRecipe(text: string): Result<Recipe, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('it is not JSON');
  }
  const parsed = recipeSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return failed(`${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'has the wrong form'}`);
  }
  const problem = recipeProblem(parsed.data);
  return problem === null ? ok(parsed.data) : failed(problem);
}
