import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decode, toPalettePng } from '../../scripts/palette-png.mjs';
import { byPython } from '../support/by-python';

/** A PNG of RGB rows whose first byte is the row's filter; checksums are not looked at. */
function pngOf(width: number, rows: readonly (readonly number[])[]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a picture of few colours keeps every pixel, with any filters of its rows', () => {
  // Each row says: the same as two pixels before it, by another of PNG's five filters.
  const rows = [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 10, 20, 30, 30, 30, 30],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 15, 15, 15],
    [4, 0, 0, 0, 0, 0, 0],
  ];
  const { width, height, pixels } = decode(pngOf(2, rows));
  expect([width, height]).toEqual([2, 5]);
  expect([...pixels]).toEqual(Array.from({ length: 5 }, () => [0x0a141e, 0x28323c]).flat());
  expect([...decode(toPalettePng(pngOf(2, rows))).pixels]).toEqual([...pixels]);
});

test('a picture of many colours gets a palette of 256 and stays close', () => {
  const row = Array.from({ length: 300 }, (_, at) => [at >> 1, at >> 1, at & 1 ? 7 : 8]).flat();
  const before = decode(pngOf(300, [[0, ...row]]));
  const after = decode(toPalettePng(pngOf(300, [[0, ...row]])));
  expect(new Set(after.pixels).size).toBe(256);
  for (const [at, rgb] of after.pixels.entries()) {
    expect(Math.abs((rgb >> 16) - ((before.pixels[at] ?? 0) >> 16))).toBeLessThan(30);
  }
});

test('the pictures of the README are there, small, and PNG for others too', () => {
  const root = join(import.meta.dirname, '../..');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const paths = [...readme.matchAll(/!\[[^\]]+\]\((docs\/images\/[^)]+)\)/g)].map(([, path]) => path ?? '');
  expect(paths.length).toBeGreaterThanOrEqual(4);
  for (const path of paths) {
    const png = readFileSync(join(root, path));
    expect(png.length).toBeLessThan(120_000);
    expect(decode(png).width).toBeGreaterThan(1_000);
    const read = 'import base64,json,struct,sys,zlib';
    const check = [
      read,
      'b = base64.b64decode(json.load(sys.stdin)); at = 8; good = []',
      'while at < len(b):',
      '    n = struct.unpack(">I", b[at:at+4])[0]',
      '    good.append(zlib.crc32(b[at+4:at+8+n]) == struct.unpack(">I", b[at+8+n:at+12+n])[0]); at += 12 + n',
      'print(json.dumps(all(good)))',
    ];
    expect(byPython(check, png.toString('base64')) ?? true).toBe(true);
  }
});

test('what is no PNG is refused', () => {
  expect(() => decode(Buffer.from('GIF89a, and then some'))).toThrow('This is no PNG');
});
