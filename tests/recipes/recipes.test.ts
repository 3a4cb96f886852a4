import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary-folder';
import { benchmarkImporter } from './benchmark-importer';
import { engine } from './engine';
import { applyRecipes, runEntries, typeErrors } from './recipe';
import { screen } from './screen';
import { strategy } from './strategy';

// CONTRIBUTING.md, "How to add ...": each recipe is carried out on a copy of the sources.

const RECIPES = [strategy, benchmarkImporter, engine, screen];
const overlay = applyRecipes(RECIPES);

it('what the recipes say is all that must be touched: no type error is left', () => {
  expect(typeErrors(overlay, RECIPES)).toEqual([]);
});

describe('by its own files and entries in at most three others', () => {
  let added: readonly Record<string, unknown>[];
  beforeAll(async () => {
    const folder = await makeTemporaryFolder();
    added = await runEntries(overlay, RECIPES, folder.path);
    return folder.dispose;
  });

  it.each(RECIPES.map((recipe, at) => [recipe.name, recipe, at] as const))(
    '%s is added, and works',
    async (_, { touches, check }, at) => {
      expect(Object.keys(touches).length).toBeLessThanOrEqual(3);
      await check(added[at] ?? {});
    },
  );
});
