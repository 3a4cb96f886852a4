import type { Recipe, RecipeTraining } from '../../../../preload/contract';
import { homePath } from '../home-words';

/** A field's name in braces; JSON's braces hold quotes or nothing, so they are not meant. */
const PLACE = /\{([a-z][a-z0-9_]*)\}/g;

type Values = Readonly<Record<string, string>>;

/** Names of the fields that a text uses. */
export function placesIn(text: string): string[] {
  return [...text.matchAll(PLACE)].map(([, name]) => name ?? '');
}

/** What the fields stand for: as given, else the recipe's defaults. Paths may begin with "~" (home-words). */
export function recipeValues(recipe: Recipe, { values }: Pick<RecipeTraining, 'values'>): Values {
  return Object.fromEntries(
    recipe.fields.map((field) => {
      const value = values[field.name] ?? field.default;
      return [field.name, field.kind === 'path' ? homePath(value) : value.trim()];
    }),
  );
}

/**
 * A text of the recipe with its fields filled in; null where one of them was left empty: then the whole text is left
 * out, so that an optional flag goes with its value ("--seed={seed}").
 */
export function filledIn(text: string, values: Values): string | null {
  if (placesIn(text).some((name) => (values[name] ?? '') === '')) return null;
  // A function, since a value may hold "$&".
  return text.replace(PLACE, (_, name: string) => values[name] ?? '');
}
