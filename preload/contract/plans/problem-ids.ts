/**
 * Ids of problems as pasted: one per line; on a single line separated by commas, semicolons or tabs. Each once, in the
 * order of the text.
 */
export function pastedProblemIds(text: string): readonly string[] {
  const separator = text.trimStart().includes('\n') ? /[\r\n]+/ : /[,;\t]+/;
  const ids = text.split(separator).map((id) => id.trim());
  return [...new Set(ids.filter((id) => id !== ''))];
}

/** The ids as a text that gives exactly them back, commas or not. */
export function textOfProblemIds(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}
