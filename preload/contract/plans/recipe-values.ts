import type { Recipe } from '../recipe';

/** Absolute, or relative to the home folder. */
export function isAbsoluteOrHome(path: string): boolean {
  return /^(\/|~$|~\/)/.test(path.trim());
}

/** What is wrong with a field's value, as a sentence; null: nothing. `value`: without space around it. */
export function recipeValueProblem(field: Recipe['fields'][number], value: string): string | null {
  const { label, kind, choices, required } = field;
  if (value === '') return required ? `"${label}" is empty.` : null;
  if (kind === 'number' && !Number.isFinite(Number(value)))
    return `"${label}" must be a number, not "${value}".`;
  if (kind === 'choice' && !choices?.includes(value)) {
    return `"${label}" must be one of ${choices?.join(', ')}, not "${value}".`;
  }
  if (kind === 'path' && !isAbsoluteOrHome(value)) {
    return `"${label}" must begin with "/" or "~/", not "${value}".`;
  }
  return value.includes('\n') ? `"${label}" must be on one line.` : null;
}
