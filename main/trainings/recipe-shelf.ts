import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from '../../preload/contract';
import { reasonOf } from '../storage';
import { readRecipe } from './logic/recipes/read-recipe';

/** Recipes of trainers, as they are now: a lab adds one by putting a file into the folder. */
export type RecipeShelf = {
  readonly read: () => Promise<{ readonly recipes: readonly Recipe[]; readonly problems: readonly string[] }>;
};

/** `folders` in order: a later file takes the place of an earlier recipe with its id. One that is absent is empty. */
export function recipeShelf(folders: readonly string[]): RecipeShelf {
  return {
    read: async () => {
      const recipes = new Map<string, Recipe>();
      const problems: string[] = [];
      for (const folder of folders) {
        const names = await readdir(folder).catch((): string[] => []);
        for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
          const path = join(folder, name);
          const text = await readFile(path, 'utf8').catch((error: unknown) => {
            problems.push(`${path} can not be read: ${reasonOf(error)}.`);
            return null;
          });
          if (text === null) continue;
          const recipe = readRecipe(text);
          if (recipe.ok) recipes.set(recipe.value.id, recipe.value);
          else problems.push(`${path} is no recipe: ${recipe.error}.`);
        }
      }
      return { recipes: [...recipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
    },
  };
}
