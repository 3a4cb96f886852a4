import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { rounded, type TextWeight } from './logic/drawing';

/**
 * Source Sans 3 (SIL Open Font License): it has one file per script, and only the files that a text needs are loaded.
 */
export const FAMILY = 'Source Sans 3';
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'] as const;
type Script = (typeof SCRIPTS)[number];

const packages = createRequire(import.meta.url);

/** A part of the typeface: one script in one weight. */
export type FontFile = {
  /** e.g. "latin-400". */
  readonly name: string;
  readonly weight: TextWeight;
  /** WOFF, as it is in the package. */
  readonly bytes: Buffer;
  readonly font: Font;
};

/** A piece of a text with letters of one file. */
export type TextRun = { readonly text: string; readonly file: FontFile; readonly width: number };

const loaded = new Map<string, FontFile>();

function fontFile(script: Script, weight: TextWeight): FontFile {
  const name = `${script}-${weight}`;
  let file = loaded.get(name);
  if (file === undefined) {
    const path = packages.resolve(`@fontsource/source-sans-3/files/source-sans-3-${name}-normal.woff`);
    const bytes = readFileSync(path);
    const font = create(bytes);
    if ('fonts' in font) throw new Error(`${path} holds more than one font.`);
    file = { name, weight, bytes, font };
    loaded.set(name, file);
  }
  return file;
}

/** A letter that no file has goes to the first file, which draws its empty box. */
function fileFor(character: string, weight: TextWeight): FontFile {
  const point = character.codePointAt(0) ?? 0;
  for (const script of SCRIPTS) {
    const file = fontFile(script, weight);
    if (file.font.hasGlyphForCodePoint(point)) return file;
  }
  return fontFile('latin', weight);
}

/** Widths of pieces, at size 1: laying a text out takes most of the time of a figure, and each format has the same lines. */
const widths = new Map<string, number>();
const MAX_WIDTHS = 20_000;

function widthOf(text: string, { name, font }: FontFile): number {
  const key = `${name} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= MAX_WIDTHS) widths.clear();
    width = font.layout(text).advanceWidth / font.unitsPerEm;
    widths.set(key, width);
  }
  return width;
}

/** Splits a text into pieces with letters of one file each; widths in points. */
export function textRuns(text: string, size: number, weight: TextWeight): readonly TextRun[] {
  const pieces: { text: string; readonly file: FontFile }[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    const point = character.codePointAt(0) ?? 0;
    if (last?.file.font.hasGlyphForCodePoint(point)) last.text += character;
    else pieces.push({ text: character, file: fileFor(character, weight) });
  }
  return pieces.map((piece) => ({ ...piece, width: widthOf(piece.text, piece.file) * size }));
}

export function measureText(text: string, size: number, weight: TextWeight): number {
  return textRuns(text, size, weight).reduce((sum, { width }) => sum + width, 0);
}

const COMMANDS = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'Z',
} as const;

/** SVG path data of a text with its baseline at the origin; y downwards. */
export function textOutline(text: string, size: number, weight: TextWeight): string {
  const parts: string[] = [];
  let across = 0;
  for (const { text: piece, file } of textRuns(text, size, weight)) {
    const scale = size / file.font.unitsPerEm;
    const { glyphs, positions } = file.font.layout(piece);
    glyphs.forEach((glyph, at) => {
      const position = positions[at];
      const left = across + (position?.xOffset ?? 0) * scale;
      for (const { command, args } of glyph.path.commands) {
        const numbers = args.map((value, n) =>
          n % 2 === 0 ? rounded(left + value * scale) : rounded(-value * scale),
        );
        parts.push(`${COMMANDS[command]}${numbers.join(' ')}`);
      }
      across += (position?.xAdvance ?? 0) * scale;
    });
  }
  return parts.join('');
}
