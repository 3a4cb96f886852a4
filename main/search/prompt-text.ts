/** A fence longer than any run of backticks in the text, so that the text cannot end it. */
export function fenced(text: string, language = 'python'): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${fence}${language}\n${body}${fence}`;
}

const TRUNCATION_MARK = '\n[...]\n';

/** The text, cut to `maxCharacters` characters (above 7): both ends remain, with a mark between them. */
export function truncateMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const budget = maxCharacters - TRUNCATION_MARK.length;
  const head = Math.ceil(budget / 2);
  return `${text.slice(0, head)}${TRUNCATION_MARK}${text.slice(text.length - (budget - head))}`;
}

/** The last lines of the text, cut to a number of characters. */
export function lastLines(text: string, lines: number, characters: number): string {
  return truncateMiddle(text.trimEnd().split('\n').slice(-lines).join('\n'), characters);
}
