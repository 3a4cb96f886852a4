/** Rewrites the current line of a terminal: clears it and returns to its start. */
export const OVERWRITE = '\r\u001b[K';

/** Colours and the like, as programs print them: left out. */
const COLOURS = /\p{Cc}\[[\d;]{0,40}m/gu;
/** All others could move the cursor, hide lines, set titles or answer for the user; marks turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of machines, jobs and other people as a terminal may show it: its control characters are spelled out. */
export function visibleText(text: string): string {
  const own = text.startsWith(OVERWRITE) ? OVERWRITE : '';
  const shown = text
    .slice(own.length)
    .replace(COLOURS, '')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, (character) =>
      character === '\n' || character === '\t'
        ? character
        : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return own + shown;
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/**
 * From now on all text that is printed to this stream is `visibleText`, where it is a terminal; a file or a pipe gets what was
 * printed, byte by byte.
 */
export function showControls(stream: Output): void {
  if (!stream.isTTY) return;
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? visibleText(chunk) : chunk, ...rest)) as Output['write'];
}

/** What a terminal of a machine sends to this one, as it is: the user works in it. */
export function writeRaw(stream: Output, text: string): void {
  stream.write(Buffer.from(text, 'utf8'));
}
