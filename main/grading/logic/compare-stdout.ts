import { decimalsEqual, parseDecimal } from './exact-decimal';

/**
 * Characters of the words that are read as numbers, beyond twice those of the expected output: a candidate may pad every
 * number with zeros, and megabytes of them would take seconds.
 */
const MORE_NUMBER_CHARACTERS = 1_000_000;

/**
 * Does the output count as the expected one by LiveCodeBench's rules (evaluation/testing_util.py)? Both
 * are trimmed and split at newlines, each line is trimmed; as many lines on both sides; a pair of lines agrees
 * when the texts are equal or both are decimal numbers, equal as exact decimals one by one.
 *
 * The output is hostile and may be 64 MiB: it is walked beside the expected one up to the first difference and never
 * split as a whole, so that it takes linear time and hardly any memory.
 */
export function compareStdout(actual: string, expected: string): boolean {
  if (actual === expected) return true;
  let charactersLeft = MORE_NUMBER_CHARACTERS + 2 * expected.length;
  const wordsAgree = (word: string, expectedWord: string): boolean => {
    charactersLeft -= word.length;
    if (charactersLeft < 0) return false;
    const left = parseDecimal(word);
    const right = left === null ? null : parseDecimal(expectedWord);
    return left !== null && right !== null && decimalsEqual(left, right);
  };
  const linesAgree = (line: string, expectedLine: string): boolean =>
    line === expectedLine ||
    (line !== '' && expectedLine !== '' && allAgree(wordsOf(line), wordsOf(expectedLine), wordsAgree));
  return allAgree(linesOf(actual), linesOf(expected), linesAgree);
}

/** Both sides have equally many, and each pair agrees. */
function allAgree(
  left: Iterator<string>,
  right: Iterator<string>,
  pairAgrees: (left: string, right: string) => boolean,
): boolean {
  for (;;) {
    const [a, b] = [left.next(), right.next()];
    if (a.done || b.done) return a.done === b.done;
    if (!pairAgrees(a.value, b.value)) return false;
  }
}

/** Trimmed lines of the trimmed text. */
function* linesOf(text: string): Generator<string, void> {
  const [start, stop] = trimmed(text, 0, text.length);
  for (let from = start; from <= stop; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 || newline > stop ? stop : newline;
    yield text.slice(...trimmed(text, from, end));
    from = end + 1;
  }
}

/** What stands between blanks. */
function* wordsOf(line: string): Generator<string, void> {
  for (let from = 0; from < line.length; ) {
    let end = from;
    while (end < line.length && !isBlank(line.charCodeAt(end))) end += 1;
    yield line.slice(from, end);
    for (from = end; from < line.length && isBlank(line.charCodeAt(from)); ) from += 1;
  }
}

function trimmed(text: string, from: number, to: number): [number, number] {
  // A regular expression anchored at the end takes quadratic time on long inner blanks.
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return [start, end];
}

/**
 * Python's `str.strip` and `str.split` know other blanks than JavaScript: also the separators 0x1c to 0x1f and
 * 0x85, and not the byte order mark.
 */
function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code >= 0x1c;
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return OTHER_BLANKS.has(code);
}

const OTHER_BLANKS: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);
