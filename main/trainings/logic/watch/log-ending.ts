/** Lines at the end of a log among which an error counts as its end: a hint may stand behind it. */
const MAX_LINES = 5;
/** Of a message. */
const MAX_CHARACTERS = 200;

/** The last line of a Python traceback, what Hydra prints after one, and what the system says of a killed process. */
const ERROR = /^\S{0,200}(?:Error|Exception)(?::|$)|HYDRA_FULL_ERROR=1|\bout of memory\b|^Killed$/i;

/** Of a sentence of our own trainer, with what to do. */
const MAX_REASON_CHARACTERS = 600;

/** The sentence with which the log of our own trainer ends, as it says why it cannot go on; null: it ends otherwise. */
export function sentenceAtEnd(tail: string): string | null {
  const last = tail.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return /^\p{Lu}/u.test(last) && last.endsWith('.') && last.length <= MAX_REASON_CHARACTERS ? last : null;
}

/** The line that says that what wrote this log has failed; null: none of the last ones does. */
export function errorAtEnd(tail: string): string | null {
  const lines = tail.split('\n').map((line) => line.trim());
  const last = lines.filter((line) => line !== '').slice(-MAX_LINES);
  return last.findLast((line) => ERROR.test(line))?.slice(0, MAX_CHARACTERS) ?? null;
}
