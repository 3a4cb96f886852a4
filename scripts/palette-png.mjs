// Makes a screenshot a third as large: a PNG with a palette of its 256 most frequent colours. Node built-ins only.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const MAX_COLOURS = 256;
/** Bytes of a pixel by PNG's colour type: RGB and RGBA, which is what browsers write. */
const PIXEL_BYTES = { 2: 3, 6: 4 };

/** Transparency is left out: screenshots have none. Throws where the file is no plain 8-bit PNG. */
export function toPalettePng(png) {
  const { width, height, pixels } = decode(png);
  const palette = mostFrequent(pixels);
  const nearest = nearestIn(palette);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest(pixels[y * width + x]);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** `pixels`: 0xRRGGBB, row by row. */
export function decode(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG.');
  const parts = [];
  let header = null;
  let palette = null;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = data;
    if (type === 'PLTE') palette = data;
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const type = header?.[9];
  const bytes = type === 3 ? 1 : PIXEL_BYTES[type];
  if (header === null || header[8] !== 8 || header[12] !== 0 || bytes === undefined) {
    throw new Error('This is no plain PNG of 8 bits a channel.');
  }
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const data = unfiltered(inflateSync(Buffer.concat(parts)), width * bytes, height, bytes);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const [from, at] = type === 3 ? [palette, data[i] * 3] : [data, i * bytes];
    pixels[i] = (from[at] << 16) | (from[at + 1] << 8) | from[at + 2];
  }
  return { width, height, pixels };
}

/** PNG (third edition), section 9: each row says how its bytes were predicted. */
function unfiltered(raw, stride, height, bytes) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < bytes ? 0 : out[y * stride + x - bytes];
      const up = y === 0 ? 0 : out[(y - 1) * stride + x];
      const upLeft = x < bytes || y === 0 ? 0 : out[(y - 1) * stride + x - bytes];
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter];
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted;
    }
  }
  return out;
}

function paeth(left, up, upLeft) {
  const [toLeft, toUp] = [Math.abs(up - upLeft), Math.abs(left - upLeft)];
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

function mostFrequent(pixels) {
  const counts = new Map();
  for (const rgb of pixels) counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || a - b)
    .slice(0, MAX_COLOURS)
    .map(([rgb]) => rgb);
}

function nearestIn(palette) {
  const known = new Map(palette.map((rgb, at) => [rgb, at]));
  return (rgb) => {
    let best = known.get(rgb);
    if (best !== undefined) return best;
    best = 0;
    for (let at = 1; at < palette.length; at++) {
      if (distance(rgb, palette[at]) < distance(rgb, palette[best])) best = at;
    }
    known.set(rgb, best);
    return best;
  };
}

function distance(a, b) {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
