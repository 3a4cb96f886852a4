import type { Recipe, RecipeTraining } from '../../../../preload/contract';
import { extraProblems } from '../extra-arguments';
import { isPlace } from '../home-words';
import { placesIn } from './recipe-text';

/** What is wrong with a recipe that its schema does not see; null: nothing. */
export function recipeFault(recipe: Recipe): string | null {
  const names = recipe.fields.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `it has two fields "${twice}"`;
  const texts = [...recipe.command, recipe.tensorboard ?? '', recipe.checkpoints ?? ''];
  const unknown = texts.flatMap(placesIn).find((name) => !names.includes(name));
  if (unknown !== undefined) return `it uses a field {${unknown}} that it does not define`;
  if (recipe.command[0] !== undefined && placesIn(recipe.command[0]).length > 0) {
    return 'its command begins with a field, so that anything could be run by it';
  }
  for (const { name, kind, choices, default: own, required } of recipe.fields) {
    if (kind === 'choice' && (choices ?? []).length === 0) return `its field "${name}" has no choices`;
    if (kind === 'choice' && own !== '' && !choices?.includes(own)) {
      return `the default of its field "${name}" is not among the choices`;
    }
    if (kind === 'number' && own !== '' && !Number.isFinite(Number(own))) {
      return `the default of its field "${name}" is no number`;
    }
    if (required && kind === 'choice' && own === '') return `its field "${name}" needs a default`;
  }
  return null;
}

/** What is wrong with an order for it, a sentence each. */
export function recipeProblems(recipe: Recipe, training: RecipeTraining): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(training.values)) {
    if (!recipe.fields.some((field) => field.name === name)) {
      problems.push(`The recipe "${recipe.name}" has no field "${name}".`);
    }
  }
  for (const { name, label, kind, choices, required, default: own } of recipe.fields) {
    const value = (training.values[name] ?? own).trim();
    if (value === '') {
      if (required) problems.push(`"${label}" is empty.`);
    } else if (kind === 'number' && !Number.isFinite(Number(value))) {
      problems.push(`"${label}" takes a number, not "${value}".`);
    } else if (kind === 'choice' && !choices?.includes(value)) {
      problems.push(`"${label}" is one of ${choices?.join(', ')}, not "${value}".`);
    } else if (kind === 'path' && !isPlace(value)) {
      problems.push(`"${label}" has to begin with "/" or "~/", not "${value}".`);
    } else if (value.includes('\n')) {
      problems.push(`"${label}" is one line.`);
    }
  }
  return [...problems, ...extraProblems(training.extraArguments)];
}
