import type { Recipe } from '../recipe';

/** Which releases of the trainer a recipe was checked against, a sentence. */
export function checkedText({ checkedWith }: Pick<Recipe, 'checkedWith'>): string {
  return checkedWith === '' ? 'Not checked against a release.' : `Checked against ${checkedWith}.`;
}
