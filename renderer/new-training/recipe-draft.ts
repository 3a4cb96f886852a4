import type { Recipe } from '../../preload/contract/recipe';
import type { RecipeTraining } from '../../preload/contract/training-spec';
import { type Checked, type FieldError, missing, wrong } from './form-errors';

export type RecipeDraft = {
  /** null: none selected yet. */
  readonly recipeId: string | null;
  /** Entered values by field; missing fields use the recipe's default. */
  readonly values: Readonly<Record<string, string>>;
  readonly extraArguments: string;
};

export const EMPTY_RECIPE: RecipeDraft = { recipeId: null, values: {}, extraArguments: '' };

export function draftOfRecipe({ recipeId, values, extraArguments }: RecipeTraining): RecipeDraft {
  return { recipeId, values, extraArguments };
}

export function recipeValue(draft: RecipeDraft, field: Recipe['fields'][number]): string {
  return draft.values[field.name] ?? field.default;
}

/** `recipe`: the selected one; null: none, or no longer available. */
export function checkRecipe(draft: RecipeDraft, recipe: Recipe | null): Checked<RecipeTraining> {
  const errors: FieldError[] = [];
  if (recipe === null) {
    errors.push(
      draft.recipeId === null
        ? missing('recipe', 'Choose a recipe.')
        : wrong('recipe', `The recipe ${draft.recipeId} no longer exists. Choose another.`),
    );
  }
  const values: Record<string, string> = {};
  for (const field of recipe?.fields ?? []) {
    const text = recipeValue(draft, field).trim();
    const at = `recipe.${field.name}`;
    values[field.name] = text;
    if (text === '') {
      if (field.required) errors.push(missing(at, 'Enter a value.'));
    } else if (field.kind === 'number' && !Number.isFinite(Number(text))) {
      errors.push(wrong(at, 'Enter a number, e.g. 16 or 1e-6.'));
    } else if (field.kind === 'choice' && !(field.choices ?? []).includes(text)) {
      errors.push(wrong(at, 'Choose a value from the list.'));
    }
  }
  return {
    errors: errors,
    warnings: [],
    value: {
      kind: 'recipe',
      recipeId: draft.recipeId ?? '',
      values,
      extraArguments: draft.extraArguments.trim(),
    },
  };
}
