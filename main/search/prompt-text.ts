/** A fence longer than any run of backticks in the text, so that the text cannot end it. */
export function fenced(text: string, language = 'python'): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${fence}${language}\n${body}${fence}`;
}

const GAP = '\n[...]\n';

/** At most `most` characters (above 7), both ends kept and a mark between them. */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = most - GAP.length;
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}${GAP}${text.slice(text.length - (kept - head))}`;
}

/** The last so many lines, and of these at most so many characters. */
export function lastLines(text: string, lines: number, characters: number): string {
  return bothEnds(text.trimEnd().split('\n').slice(-lines).join('\n'), characters);
}
