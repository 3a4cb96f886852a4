import { decimalsEqual, parseDecimal } from './exact-decimal';

/**
 * Python's `str.strip` and `str.split` know other blanks than JavaScript: also the separators 0x1c to 0x1f and
 * 0x85, and not the byte order mark.
 */
const BLANK = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const IS_BLANK = new RegExp(`[${BLANK}]`);
const BLANKS = new RegExp(`[${BLANK}]+`);

/**
 * Does the output count as the expected one by LiveCodeBench's rules (evaluation/testing_util.py)? Both
 * are trimmed and split at newlines, each line is trimmed; as many lines on both sides; a pair of lines agrees
 * when the texts are equal or both are decimal numbers, equal as exact decimals one by one.
 */
export function compareStdout(actual: string, expected: string): boolean {
  const actualLines = strip(actual).split('\n');
  const expectedLines = strip(expected).split('\n');
  return (
    actualLines.length === expectedLines.length &&
    actualLines.every((line, i) => linesAgree(strip(line), strip(expectedLines[i] ?? '')))
  );
}

function strip(text: string): string {
  // A regular expression anchored at the end takes quadratic time on long inner blanks, and the text may be hostile.
  let from = 0;
  let to = text.length;
  while (from < to && IS_BLANK.test(text[from] ?? '')) from += 1;
  while (to > from && IS_BLANK.test(text[to - 1] ?? '')) to -= 1;
  return text.slice(from, to);
}

function linesAgree(actual: string, expected: string): boolean {
  if (actual === expected) return true;
  if (actual === '' || expected === '') return false;
  const actualParts = actual.split(BLANKS);
  const expectedParts = expected.split(BLANKS);
  return (
    actualParts.length === expectedParts.length &&
    actualParts.every((part, i) => {
      const left = parseDecimal(part);
      const right = parseDecimal(expectedParts[i] ?? '');
      return left !== null && right !== null && decimalsEqual(left, right);
    })
  );
}
