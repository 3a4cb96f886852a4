import { counted } from '../../base/index';

/** A line of the log that begins an entry: "2026-01-05T09:30:00.000Z error jobs, 17: ...". */
const ENTRY = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z (?:error|warning|info) /;
/** Where the error arose, in JavaScript and in Python, and what caused it. */
const FRAME = /^\s+(?:at |caused by |File "|Traceback )/;

/** A message may hold what a model wrote, or what a person typed. */
const LONGEST_MESSAGE = 400;
const LONGEST_FRAME = 240;
const MAX_FRAMES = 30;

/** The entries of a log, without the lines before the first whole one. */
export function logEntries(text: string): readonly string[] {
  const entries: string[] = [];
  let lines: string[] | null = null;
  const end = (): void => {
    if (lines !== null) entries.push(lines.join('\n'));
  };
  for (const line of text.split('\n')) {
    if (ENTRY.test(line)) {
      end();
      lines = [line];
    } else if (lines !== null && line !== '') lines.push(line);
  }
  end();
  return entries;
}

/**
 * An entry as it may leave the workbench: the start of its first line, and where it arose. Further lines, which can be
 * programs, statements or answers, are only counted.
 */
export function shortenedEntry(entry: string): string {
  const [first = '', ...further] = entry.split('\n');
  const frames = further.filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
  const left = further.length - frames.length;
  return [
    cut(first, LONGEST_MESSAGE),
    ...frames.map((line) => `    ${cut(line.trim(), LONGEST_FRAME)}`),
    ...(left === 0 ? [] : [`    (${counted(left, 'more line is', 'more lines are')} only in the log)`]),
  ].join('\n');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (cut)`;
}
