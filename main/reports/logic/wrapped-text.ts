import type { Measure } from './drawing';
import { TEXT_SIZE } from './style';

/** Where a label may continue in the next line: behind a space, a hyphen, a slash or a plus, before a bracket. */
const BREAKS = /(?<=[\s/+-])|(?=\()/;

export type WrappedText = {
  readonly lines: readonly string[];
  /** Had a word to be broken, because it is wider than a line by itself? */
  readonly isBroken: boolean;
};

/** A text in as few lines of this width as it takes; nothing of it is left out. */
export function wrappedText(text: string, width: number, measure: Measure, size = TEXT_SIZE): WrappedText {
  const fits = (line: string): boolean => measure(line.trim(), size, 400) <= width;
  const lines: string[] = [];
  let line = '';
  let isBroken = false;
  for (const part of text.split(BREAKS)) {
    if (fits(line + part)) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trim());
    line = '';
    for (const character of part) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line.trim());
        line = '';
        isBroken = true;
      }
      line += character;
    }
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trim());
  return { lines, isBroken };
}
