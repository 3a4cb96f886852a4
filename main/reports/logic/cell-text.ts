/** Longer texts, e.g. prompts, are complete only in CSV and JSON. */
const LONGEST_TEXT = 60;

/** Does print have only its beginning? */
export const isShortened = ({ length }: string): boolean => length > LONGEST_TEXT;

export const shortened = (text: string): string =>
  isShortened(text) ? `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}\u2026` : text;

/** a, b ... z, aa: of the sources of a table. */
export function letter(at: number): string {
  return at < 26 ? String.fromCharCode(97 + at) : `${letter(Math.floor(at / 26) - 1)}${letter(at % 26)}`;
}
