import { figureSentences } from './reading';
import type { ReportFigure } from './report-figure';

/** More small print than this makes a picture hard to place. */
const MAX_LINES = 6;

const ELSEWHERE = 'The manifest says more.';

/** The earlier, the less a reader can do without: what is built in, what whiskers and bands are, what is counted. */
const IMPORTANT: readonly RegExp[] = [
  /built in|chance of training/,
  /^(Whiskers|Bands|Height of a bar)\b/,
  /\b(share|chance|measure) of\b/,
];

/** What it was measured on is first of all. */
function rankOf(sentence: string, at: number): number {
  const found = IMPORTANT.findIndex((pattern) => pattern.test(sentence));
  if (at === 0) return -1;
  return found < 0 ? IMPORTANT.length : found;
}

/** What stands under a picture: all that is said of it, or the most important of it, in the same order. */
export function picturePrint(
  figure: ReportFigure,
  linesOf: (text: string) => readonly string[],
): readonly string[] {
  const all = figureSentences(figure);
  const allLines = linesOf(all.join(' '));
  if (allLines.length <= MAX_LINES) return allLines;
  const sentences = all.flatMap((note) =>
    note.split(/(?<=\.) (?=(?:Whiskers|Bands|Easiest):|Differences are not|A seed is)/),
  );
  const linesWith = (some: readonly number[]): readonly string[] =>
    linesOf([...sentences.filter((_, at) => some.includes(at)), ELSEWHERE].join(' '));
  const ranked = sentences
    .map((text, at) => ({ at, rank: rankOf(text, at) }))
    .sort((first, second) => first.rank - second.rank || first.at - second.at);
  const shown: number[] = [];
  for (const { at } of ranked) if (linesWith([...shown, at]).length <= MAX_LINES) shown.push(at);
  return linesWith(shown);
}
