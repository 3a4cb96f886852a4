import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe, TrainingSpec } from '../../preload/contract';
import { reasonOf, systemErrorCode } from '../storage';
import { readRecipe } from './logic/recipe';

/** Recipes of trainers, read from files at each call: a lab adds one by putting a file into the folder. */
export type RecipeRegistry = {
  readonly load: () => Promise<{ readonly recipes: readonly Recipe[]; readonly problems: readonly string[] }>;
  /** The recipe of a training; null: another trainer's, or there is none with its id. */
  readonly of: (spec: TrainingSpec) => Promise<Recipe | null>;
};

/** A recipe in a later folder replaces one with the same id. An absent folder counts as empty. */
export function recipeRegistry(folders: readonly string[]): RecipeRegistry {
  const registry: RecipeRegistry = {
    load: async () => {
      const recipes = new Map<string, Recipe>();
      const problems: string[] = [];
      for (const folder of folders) {
        const names = await readdir(folder).catch((error: unknown): string[] => {
          if (systemErrorCode(error) !== 'ENOENT')
            problems.push(`Cannot read ${folder}: ${reasonOf(error)}.`);
          return [];
        });
        for (const name of names.filter((file) => file.endsWith('.json')).sort()) {
          const path = join(folder, name);
          const text = await readFile(path, 'utf8').catch((error: unknown) => {
            problems.push(`Cannot read ${path}: ${reasonOf(error)}.`);
            return null;
          });
          if (text === null) continue;
          const recipe = readRecipe(text);
          if (recipe.ok) recipes.set(recipe.value.id, recipe.value);
          else problems.push(`${path} is not a valid recipe: ${recipe.error}.`);
        }
      }
      return { recipes: [...recipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
    },
    of: async (spec) => {
      if (spec.kind !== 'recipe') return null;
      const { recipes } = await registry.load();
      return recipes.find(({ id }) => id === spec.recipeId) ?? null;
    },
  };
  return registry;
}
