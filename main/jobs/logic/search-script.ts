import type { LogMatch } from '../../../preload/contract';
import { shellWord } from '../../base';

/** Bytes of a line that are told; what is longer is asked for again around the match. */
const LINE_BYTES = 1_600;
/** Said by a machine whose grep knows no byte offsets (BusyBox). */
const CANNOT = 'no grep';
/** Characters of a line that people are shown. */
const SHOWN_CHARACTERS = 400;

/** Defines `stretch`, which prints a part of the file. In large blocks where `dd` can begin anywhere. */
function stretchOf(path: string, from: number, bytes: number): string {
  return `
file=${shellWord(path)}
if dd iflag=skip_bytes,count_bytes count=0 </dev/null 2>/dev/null; then
  stretch() { dd if="$file" bs=1048576 iflag=skip_bytes,count_bytes skip=${from} count=${bytes} 2>/dev/null; }
else
  stretch() { tail -c +${from + 1} -- "$file" | head -c ${bytes}; }
fi
`;
}

/**
 * Searches one stretch of a file; `from` is the start of a line. Tells a line per match, `LINE:OFFSET:TEXT`, both
 * numbers counted from the stretch's start, the text cut. Stops behind `most` lines. Fixed text, case ignored: of
 * ASCII in the C locale, which costs no decoding; else of UTF-8.
 */
export function searchScript(query: {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly bytes: number;
  readonly most: number;
}): string {
  return `${stretchOf(query.path, query.from, query.bytes)}
${localeOf(query.text)}
{
  stretch | grep -aibnF -m ${query.most} -e ${shellWord(query.text)}
  [ "$?" -lt 2 ] || echo '${CANNOT}'
} | LC_ALL=C cut -b 1-${LINE_BYTES}
`;
}

/** How many lines end in a stretch. */
export function countLinesScript(path: string, from: number, bytes: number): string {
  return `${stretchOf(path, from, bytes)}
stretch | wc -l
`;
}

/** Where, in a long line that begins at byte `from`, the text is: its offset from there, a line of output. */
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

type Found = {
  /** Both counted from the stretch's start, the line from 1. */
  readonly line: number;
  readonly offset: number;
  readonly text: string;
  /** The line goes on behind the text. */
  readonly isCut: boolean;
};

/** The answer to `searchScript`; null: the machine has no grep that can do this. */
export function parseFound(stdout: string): readonly Found[] | null {
  const lines = stdout.split('\n');
  if (lines.includes(CANNOT)) return null;
  return lines.flatMap((line) => {
    const match = /^(\d+):(\d+):(.*)$/s.exec(line);
    if (match === null) return [];
    const isCut = utf8Bytes(line) >= LINE_BYTES - 3;
    return [{ line: Number(match[1]), offset: Number(match[2]), text: match[3] ?? '', isCut }];
  });
}

/** A match as people see it: what is around the text, in at most 400 characters. */
export function shownMatch(
  place: { readonly offset: number; readonly line: number },
  line: string,
  text: string,
): LogMatch {
  const clean = line.replace(/\uFFFD+$/, '').replace(/\r$/, '');
  if (clean.length <= SHOWN_CHARACTERS) return { ...place, text: clean };
  const at = Math.max(0, clean.toLowerCase().indexOf(text.toLowerCase()));
  const start = Math.max(0, Math.min(at - SHOWN_CHARACTERS / 4, clean.length - SHOWN_CHARACTERS));
  return { ...place, text: clean.slice(start, start + SHOWN_CHARACTERS) };
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  return bytes;
}
