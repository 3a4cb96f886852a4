import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import PDFDocument from 'pdfkit';
import { type Drawing, type PathShape, rounded, type TextShape } from './logic/drawing';
import { svgOf, svgText } from './logic/svg';
import { FAMILY, type FontFile, measureText, textOutline, textRuns } from './typeface';

const texts = ({ shapes }: Drawing): TextShape[] =>
  shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));

function filesOf(drawing: Drawing): readonly FontFile[] {
  const files = new Map<string, FontFile>();
  for (const { text, size, weight } of texts(drawing)) {
    for (const { file } of textRuns(text, size, weight)) files.set(file.name, file);
  }
  return [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Ranges of code points as CSS names them, e.g. "U+20-7E". */
function unicodeRange(points: readonly number[]): string {
  const sorted = [...points].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const point of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && point <= last[1] + 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (point: number): string => point.toString(16).toUpperCase();
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(',');
}

/** SVG that embeds the parts of the typeface that its texts need. */
export function svgFile(drawing: Drawing): Buffer {
  const style = filesOf(drawing).map(
    ({ bytes, font, weight }) =>
      `@font-face{font-family:"${FAMILY}";font-weight:${weight};src:url(data:font/woff;base64,${bytes.toString('base64')}) format("woff");unicode-range:${unicodeRange(font.characterSet)}}`,
  );
  const family = `'${FAMILY}', 'Source Sans Pro', Helvetica, Arial, sans-serif`;
  return Buffer.from(svgOf(drawing, style.join(''), (shape) => svgText(shape, family)));
}

/** Left end of a text on its baseline, relative to its anchor. */
function startOf({ text, size, weight, anchor }: TextShape): number {
  if (anchor === 'start') return 0;
  const width = measureText(text, size, weight);
  return anchor === 'middle' ? -width / 2 : -width;
}

function drawText(document: PDFKit.PDFDocument, shape: TextShape): void {
  const { x, y, text, size, weight, color, upwards } = shape;
  document.save();
  document.translate(rounded(x), rounded(y));
  if (upwards) document.rotate(-90);
  let across = startOf(shape);
  for (const { text: piece, file, width } of textRuns(text, size, weight)) {
    document
      .font(file.name)
      .fontSize(size)
      .fillColor(color)
      .text(piece, rounded(across), 0, { lineBreak: false, baseline: 'alphabetic' });
    across += width;
  }
  document.restore();
}

function drawPath(document: PDFKit.PDFDocument, shape: PathShape): void {
  const { d, fill, stroke, width, dash, opacity } = shape;
  const hasLine = stroke !== null && width > 0;
  if (d === '' || (fill === null && !hasLine)) return;
  document.save().path(d).opacity(opacity);
  if (hasLine) {
    document.lineWidth(width).lineJoin('round');
    // pdfkit takes a list of lengths; its types know a single one.
    if (dash.length > 0) document.dash([...dash] as unknown as number, { phase: 0 });
  }
  if (fill !== null && hasLine) document.fillAndStroke(fill, stroke);
  else if (fill !== null) document.fill(fill);
  else if (hasLine) document.stroke(stroke);
  document.restore();
}

/** A PDF must have a creation date. This one is constant, so that equal figures are equal bytes. */
const NO_DATE = new Date(0);

/**
 * One page of the figure's size, with subsets of its fonts embedded. Its streams are not compressed, so that they do
 * not depend on a compressor's version.
 */
export function pdfFile(drawing: Drawing): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({
      size: [rounded(drawing.width), rounded(drawing.height)],
      margin: 0,
      compress: false,
      info: { Title: drawing.title, Creator: 'MARS\u00b2 Workbench', CreationDate: NO_DATE },
    });
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    for (const { name, bytes } of filesOf(drawing)) document.registerFont(name, bytes);
    for (const shape of drawing.shapes) {
      if (shape.kind === 'text') drawText(document, shape);
      else drawPath(document, shape);
    }
    document.end();
  });
}

/** Journals' usual resolution for pictures in pixels. */
const DOTS_PER_INCH = 300;

const packages = createRequire(import.meta.url);
let ready: Promise<void> | null = null;

/** The rasteriser is WebAssembly: the same bytes on every computer, and nothing to compile. */
function rasteriser(): Promise<void> {
  ready ??= readFile(packages.resolve('@resvg/resvg-wasm/index_bg.wasm')).then((bytes) => initWasm(bytes));
  return ready;
}

function outlined(shape: TextShape): string {
  const { x, y, text, size, weight, color, upwards } = shape;
  const rotation = upwards ? ' rotate(-90)' : '';
  const start = rounded(startOf(shape));
  return `<path transform="translate(${rounded(x)} ${rounded(y)})${rotation} translate(${start} 0)" d="${textOutline(text, size, weight)}" fill="${color}"/>`;
}

/** Adds the dots per inch, so that LaTeX knows the picture's size: a chunk `pHYs` after the header. */
function withResolution(png: Uint8Array): Buffer {
  const HEADER_END = 33;
  const perMetre = Math.round(DOTS_PER_INCH / 0.0254);
  const chunk = Buffer.alloc(21);
  chunk.writeUInt32BE(9, 0);
  chunk.write('pHYs', 4, 'latin1');
  chunk.writeUInt32BE(perMetre, 8);
  chunk.writeUInt32BE(perMetre, 12);
  chunk.writeUInt8(1, 16);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17);
  return Buffer.concat([png.subarray(0, HEADER_END), chunk, png.subarray(HEADER_END)]);
}

/** 300 dots an inch, letters as outlines. */
export async function pngFile(drawing: Drawing): Promise<Buffer> {
  await rasteriser();
  const value = Math.round((drawing.width / 72) * DOTS_PER_INCH);
  const resvg = new Resvg(svgOf(drawing, '', outlined), { fitTo: { mode: 'width', value } });
  try {
    const image = resvg.render();
    try {
      return withResolution(image.asPng());
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}
