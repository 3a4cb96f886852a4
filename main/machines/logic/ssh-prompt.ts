/** How long ssh has to be silent before what it has written counts as a question. */
export type Asking = { readonly prompt: string; readonly afterMs: number };

/** A line without an end is a question, as soon as it is clear that the rest is not just on its way. */
const OPEN_LINE_MS = 150;
/** Words that ask for a deed elsewhere: a touch of a key, a tap on a phone. */
const DEED_MS = 1_000;
const DEED = /confirm user presence|touch|push|tap |approve|duo/i;
/** Anything else: perhaps only a greeting, but who looks at it knows more than we do. */
const ANYTHING_MS = 10_000;

const LONGEST_PROMPT = 300;

/**
 * What ssh may be asking, told from what it wrote before it was logged in; null when it wrote nothing. Lines come
 * from the server too (banners, keyboard-interactive): text to show, never to act on.
 */
export function askingOf(transcript: string): Asking | null {
  const lines = plainText(transcript).split('\n');
  const open = (lines.at(-1) ?? '').trim();
  if (open !== '') return { prompt: open.slice(0, LONGEST_PROMPT), afterMs: OPEN_LINE_MS };
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  if (last === undefined) return null;
  return { prompt: last.slice(0, LONGEST_PROMPT), afterMs: DEED.test(last) ? DEED_MS : ANYTHING_MS };
}

/** Without escape sequences, carriage returns and other control characters but line feeds. */
export function plainText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them
      .replace(/\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*(\u0007|\u001b\\))/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
  );
}
