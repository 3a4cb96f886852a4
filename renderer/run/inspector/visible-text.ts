/** A piece of a value: plain text, or invisible characters with a visible mark and a name. */
export type TextPiece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly mark: string; readonly name: string };

type Mark = { readonly mark: string; readonly name: string };

const TAB: Mark = { mark: '→', name: 'tab' };
const RETURN: Mark = { mark: '␍', name: 'carriage return' };
const NO_BREAK: Mark = { mark: '⍽', name: 'no-break space' };
const SPACE: Mark = { mark: '·', name: 'space' };
const CONTROL: Mark = { mark: '�', name: 'control character' };

/**
 * Splits a value so that whitespace that can change a verdict (trailing or repeated spaces, tabs, carriage returns, control
 * characters) can be marked. Single spaces between words and line ends stay plain. The joined texts are the value.
 */
export function visiblePieces(value: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plainFrom = 0;
  for (let at = 0; at < value.length; ) {
    const end = value[at] === ' ' ? endOfSpaces(value, at) : at + 1;
    const mark = markOf(value, at, end);
    if (mark !== null) {
      if (plainFrom < at) pieces.push({ kind: 'plain', text: value.slice(plainFrom, at) });
      pieces.push({
        kind: 'mark',
        text: value.slice(at, end),
        mark: mark.mark.repeat(end - at),
        name: mark.name,
      });
      plainFrom = end;
    }
    at = end;
  }
  if (plainFrom < value.length) pieces.push({ kind: 'plain', text: value.slice(plainFrom) });
  return pieces;
}

function endOfSpaces(value: string, from: number): number {
  let end = from;
  while (value[end] === ' ') end += 1;
  return end;
}

function markOf(value: string, at: number, end: number): Mark | null {
  switch (value[at]) {
    case ' ': {
      const next = value[end];
      const endsLine = next === undefined || next === '\n' || next === '\r';
      return end - at > 1 || endsLine ? SPACE : null;
    }
    case '\t':
      return TAB;
    case '\r':
      return RETURN;
    case '\u00a0':
      return NO_BREAK;
    case '\n':
      return null;
    default:
      return isControl(value.charCodeAt(at)) ? CONTROL : null;
  }
}

/** Invisible codes: ASCII control, zero-width, line and paragraph separators, byte order mark. */
function isControl(code: number): boolean {
  if (code < 0x20 || code === 0x7f || code === 0xfeff) return true;
  return (code >= 0x200b && code <= 0x200f) || code === 0x2028 || code === 0x2029;
}
