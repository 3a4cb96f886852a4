import { type Recipe, recipeSchema } from '../../../../preload/contract';
import { failed, ok, type Result } from '../../../base';
import { recipeFault } from './recipe-problems';

/** A recipe from the text of its file; the error says what is wrong with it. */
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
  const fault = recipeFault(parsed.data);
  return fault === null ? ok(parsed.data) : failed(fault);
}
