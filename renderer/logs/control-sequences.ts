/** Escape sequences of terminals (ECMA-48) in logs: colours are drawn, the rest is dropped. */
const ESCAPE = '\u001B';
const BELL = '\u0007';

/** Cursor movements, titles, character sets; also one that is cut off at the end. */
const OTHER = new RegExp(
  [
    `${ESCAPE}\\[[0-9;?:]*[ -/]*(?:[@-ln-~]|$)`, // CSI but those that end in "m"
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\|$)`, // OSC: titles, links
    `${ESCAPE}[()][0-9A-Za-z]`,
    `${ESCAPE}(?:[=>78DEHMc]|$)`,
  ].join('|'),
  'g',
);
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;:]*m`, 'g');
/** As in a class of characters: "first-last". */
const range = (first: number, last: number): string =>
  `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;
const DELETE = String.fromCharCode(0x7f);
/** Bell, backspace, form feed and the like; tabs stay until they are drawn. */
const CONTROLS = new RegExp(
  `[${range(0x00, 0x08)}${range(0x0b, 0x0c)}${range(0x0e, 0x1a)}${range(0x1c, 0x1f)}${DELETE}]`,
  'g',
);
const ANY = new RegExp(`[${range(0x00, 0x08)}${range(0x0b, 0x1f)}${DELETE}]`);

/** Removes everything but text and colours. */
export function withoutControl(raw: string): string {
  return ANY.test(raw) ? raw.replace(OTHER, '').replace(CONTROLS, '') : raw;
}

/** Removes colours. */
export function withoutStyles(styled: string): string {
  return styled.includes(ESCAPE) ? styled.replace(STYLES, '') : styled;
}

export type Tone =
  | 'black'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'
  | 'white'
  /** Grey, as the bright black of terminals. */
  | 'faint';
export type Span = {
  readonly text: string;
  readonly tone: Tone | null;
  readonly strong: boolean;
  readonly soft: boolean;
};

const TONES: readonly Tone[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The text in spans of one style. Colours beyond the sixteen are dropped, to keep the theme's contrast. */
export function spansOf(styled: string): readonly Span[] {
  if (!styled.includes(ESCAPE)) return [{ text: styled, tone: null, strong: false, soft: false }];
  const spans: Span[] = [];
  let style: Omit<Span, 'text'> = { tone: null, strong: false, soft: false };
  let from = 0;
  for (const match of styled.matchAll(STYLES)) {
    if (match.index > from) spans.push({ ...style, text: styled.slice(from, match.index) });
    style = applyStyle(style, match[0].slice(2, -1));
    from = match.index + match[0].length;
  }
  if (from < styled.length) spans.push({ ...style, text: styled.slice(from) });
  return spans;
}

function applyStyle(before: Omit<Span, 'text'>, parameters: string): Omit<Span, 'text'> {
  let style = before;
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = { tone: null, strong: false, soft: false };
    else if (code === 1) style = { ...style, strong: true };
    else if (code === 2) style = { ...style, soft: true };
    else if (code === 22) style = { ...style, strong: false, soft: false };
    else if (code >= 30 && code <= 37) style = { ...style, tone: TONES[code - 30] ?? null };
    else if (code >= 90 && code <= 97) style = { ...style, tone: brightTone(code - 90) };
    else if (code === 39) style = { ...style, tone: null };
    else if (code === 38 || code === 48) {
      // 38;5;n is one of 256, 38;2;r;g;b any colour; 48 is the ground.
      const indexed = codes[at + 1] === 5;
      const index = codes[at + 2] ?? 0;
      if (code === 38) style = { ...style, tone: indexed && index < 16 ? indexTone(index) : null };
      at += indexed ? 2 : 4;
    }
  }
  return style;
}

function brightTone(index: number): Tone | null {
  return index === 0 ? 'faint' : (TONES[index] ?? null);
}

function indexTone(index: number): Tone | null {
  return index < 8 ? (TONES[index] ?? null) : brightTone(index - 8);
}

/** With tabs as the spaces that a terminal makes of them. */
export function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let out = '';
  for (const character of text) {
    out += character === '\t' ? ' '.repeat(8 - (out.length % 8)) : character;
  }
  return out;
}
