/** The values that a setting takes, as entered. */
export type ValueList = { readonly id: string; readonly values: string };

/** The values of a list with commas between, without empty ones. */
export function valuesOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
