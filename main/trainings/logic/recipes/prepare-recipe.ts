import type { Recipe, RecipeTraining, TrainingOrder } from '../../../../preload/contract';
import { homeWord } from '../home-words';
import type { PreparedTraining } from '../prepared';
import { recipeProblems } from './recipe-problems';
import { filledIn, recipeValues } from './recipe-text';

/** A training by a recipe as a job. */
export function prepareRecipe(
  order: TrainingOrder,
  training: RecipeTraining,
  recipe: Recipe,
): PreparedTraining {
  const values = recipeValues(recipe, training);
  const words = recipe.command.flatMap((word) => {
    const filled = filledIn(word, values);
    return filled === null ? [] : [homeWord(filled)];
  });
  return {
    commandLine: [...words, training.extraArguments.trim()].filter((word) => word !== '').join(' '),
    setUp: '',
    env: {},
    resources: order.resources,
    gpus: order.resources.gpus,
    notes: [
      ...(recipe.about === '' ? [] : [recipe.about]),
      `Documentation: ${recipe.homepage}`,
      'A resume runs the same command again: whether it goes on from a checkpoint is up to the trainer.',
    ],
    problems: recipeProblems(recipe, training),
  };
}
