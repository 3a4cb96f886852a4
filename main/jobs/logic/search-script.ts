import type { LogMatch } from '../../../preload/contract';
import { shellWord, utf8Length } from '../../base';

/** Bytes of a line that are printed; a longer line is read again around the match. */
const LINE_BYTES = 1_600;
/** Printed if grep does not support byte offsets (BusyBox). */
const UNSUPPORTED = 'no grep';
/** Characters of a line that are displayed. */
const SHOWN_CHARACTERS = 400;

/** Defines the shell function `chunk`, which prints a part of the file; in large blocks if `dd` supports byte offsets. */
function chunkFunction(path: string, from: number, bytes: number): string {
  return `
file=${shellWord(path)}
if dd iflag=skip_bytes,count_bytes count=0 </dev/null 2>/dev/null; then
  chunk() { dd if="$file" bs=1048576 iflag=skip_bytes,count_bytes skip=${from} count=${bytes} 2>/dev/null; }
else
  chunk() { tail -c +${from + 1} -- "$file" | head -c ${bytes}; }
fi
`;
}

/**
 * Searches one chunk of a file; `from` is the start of a line. Prints `LINE:OFFSET:TEXT` per match, both numbers counted
 * from the chunk's start, the text cut. Stops after `most` lines. Fixed text, case-insensitive: ASCII in the C locale,
 * which needs no decoding; otherwise UTF-8.
 */
export function searchScript(query: {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly bytes: number;
  readonly most: number;
}): string {
  return `${chunkFunction(query.path, query.from, query.bytes)}
${localeOf(query.text)}
{
  chunk | grep -aibnF -m ${query.most} -e ${shellWord(query.text)}
  [ "$?" -lt 2 ] || echo '${UNSUPPORTED}'
} | LC_ALL=C cut -b 1-${LINE_BYTES}
`;
}

/** Counts the lines that end in a chunk. */
export function countLinesScript(path: string, from: number, bytes: number): string {
  return `${chunkFunction(path, from, bytes)}
chunk | wc -l
`;
}

/** Prints the offset of the text in a long line that begins at byte `from`. */
export function matchInLineScript(query: {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly bytes: number;
}): string {
  return `
file=${shellWord(query.path)}
${localeOf(query.text)}
tail -c +${query.from + 1} -- "$file" | head -c ${query.bytes} | head -n 1 | grep -aoibF -e ${shellWord(query.text)} | head -n 1 | cut -d : -f 1
`;
}

function localeOf(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? 'export LC_ALL=C' : 'export LC_ALL=C.UTF-8';
}

type ChunkMatch = {
  /** Both counted from the chunk's start, the line from 1. */
  readonly line: number;
  readonly offset: number;
  readonly text: string;
  /** The line continues after the text. */
  readonly isCut: boolean;
};

/** Parses the output of `searchScript`; null: the machine's grep does not support it. */
export function parseFound(stdout: string): readonly ChunkMatch[] | null {
  const lines = stdout.split('\n');
  if (lines.includes(UNSUPPORTED)) return null;
  return lines.flatMap((line) => {
    const match = /^(\d+):(\d+):(.*)$/s.exec(line);
    if (match === null) return [];
    const isCut = utf8Length(line) >= LINE_BYTES - 3;
    return [{ line: Number(match[1]), offset: Number(match[2]), text: match[3] ?? '', isCut }];
  });
}

/** A match for display: the text with its context, at most 400 characters. */
export function shownMatch(
  position: { readonly offset: number; readonly line: number },
  line: string,
  text: string,
): LogMatch {
  const clean = line.replace(/(?<!\uFFFD)\uFFFD+$/, '').replace(/\r$/, '');
  if (clean.length <= SHOWN_CHARACTERS) return { ...position, text: clean };
  const at = Math.max(0, clean.toLowerCase().indexOf(text.toLowerCase()));
  const start = Math.max(0, Math.min(at - SHOWN_CHARACTERS / 4, clean.length - SHOWN_CHARACTERS));
  return { ...position, text: clean.slice(start, start + SHOWN_CHARACTERS) };
}
