import type { HostKey } from '../../../preload/contract';

/** A prompt of ssh; `hostKey`: it asks only whether this key is right. */
export type Prompt = { readonly prompt: string; readonly hostKey?: HostKey };

/** A possible prompt of ssh, and how long it must be silent before its output counts as one. */
export type PossiblePrompt = Prompt & { readonly afterMs: number };

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
  if (open !== '') {
    const hostKey = hostKeyAsked(lines, open);
    const prompt = open.slice(0, LONGEST_PROMPT);
    return { prompt, afterMs: OPEN_LINE_MS, ...(hostKey !== null && { hostKey }) };
  }
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  if (last === undefined) return null;
  return {
    prompt: last.slice(0, LONGEST_PROMPT),
    afterMs: ACTION_ELSEWHERE.test(last) ? ELSEWHERE_MS : OTHER_TEXT_MS,
  };
}

/** What OpenSSH's client writes, the same in every language setting; the second when the answer was neither. */
const ASKS_FOR_KEY = /^(Are you sure you want to continue connecting|Please type 'yes')/;

function hostKeyAsked(lines: readonly string[], open: string): HostKey | null {
  if (!ASKS_FOR_KEY.test(open)) return null;
  // A jump host was asked about before: the last one counts.
  const at = lines.findLastIndex((line) => line.startsWith("The authenticity of host '"));
  // The address stands behind the name; "[127.0.0.1]:2222 ([127.0.0.1]:2222)".
  const host = /^The authenticity of host '([^' ]{1,255})/.exec(lines[at] ?? '')?.[1];
  if (host === undefined) return null;
  for (const line of lines.slice(at + 1)) {
    const found = /^(\S{1,40}) key fingerprint is (\S{1,200}?)\.?$/.exec(line);
    if (found !== null) return { host, fingerprint: `${found[1]} ${found[2]}` };
  }
  return null;
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
