/** A possible prompt of ssh, and how long it must be silent before its output counts as one. */
export type PossiblePrompt = { readonly prompt: string; readonly afterMs: number };

/** An unfinished line is a prompt, once it is clear that the rest is not still arriving. */
const OPEN_LINE_MS = 150;
/** Messages that ask for an action elsewhere: a touch of a key, a tap on a phone. */
const ELSEWHERE_MS = 1_000;
const ACTION_ELSEWHERE = /confirm user presence|touch|push|tap |approve|duo/i;
/** Anything else: perhaps only a greeting, but the user can tell. */
const OTHER_TEXT_MS = 10_000;

const LONGEST_PROMPT = 300;

/**
 * The possible prompt in what ssh wrote before the login; null when it wrote nothing. Lines come from the server too
 * (banners, keyboard-interactive): text to show, never to act on.
 */
export function promptIn(transcript: string): PossiblePrompt | null {
  const lines = plainText(transcript).split('\n');
  const open = (lines.at(-1) ?? '').trim();
  if (open !== '') return { prompt: open.slice(0, LONGEST_PROMPT), afterMs: OPEN_LINE_MS };
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  if (last === undefined) return null;
  return {
    prompt: last.slice(0, LONGEST_PROMPT),
    afterMs: ACTION_ELSEWHERE.test(last) ? ELSEWHERE_MS : OTHER_TEXT_MS,
  };
}

/** Without escape sequences, carriage returns and other control characters but line feeds. */
export function plainText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them
      .replace(/\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\))/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
  );
}
