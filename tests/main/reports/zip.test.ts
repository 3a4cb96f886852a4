import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ZipReader } from '../../../main/reports/zip-reader';
import { ZipWriter } from '../../../main/reports/zip-writer';
import { byPython } from '../../support/by-python';
import { temporaryFolder } from '../../support/temporary-folder';

const small = Buffer.from('a short one\n');
/** Can not be packed, so it takes as many bytes in the archive. */
const noise = randomBytes(300_000);

/** Limits at which nothing, some, or everything needs the 64-bit fields. */
const LIMITS = [
  ['none', undefined],
  ['large files, and what lies far behind', { bytes: 100_000, files: 0xffff }],
  ['many files', { bytes: 0xffff_ffff, files: 3 }],
  ['everything', { bytes: 1, files: 1 }],
] as const;

async function zipped(limits: (typeof LIMITS)[number][1]): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, 'x.zip');
  await writeFile(join(folder, 'noise'), noise);
  const zip = await ZipWriter.create(path, limits === undefined ? {} : { limits });
  await zip.addBytes('empty', Buffer.alloc(0));
  await zip.addBytes('first/small.txt', small);
  await zip.addFile('noise', join(folder, 'noise'), noise.length);
  await zip.addBytes('last.txt', small);
  expect(await zip.finish()).toBe((await stat(path)).size);
  await zip.close();
  return path;
}

it.each(LIMITS)(
  'with 64-bit fields for %s is read by other tools and by ourselves, file by file',
  async (_title, limits) => {
    const path = await zipped(limits);
    const seen = byPython<{ names: string[]; sizes: number[]; needs: number[] }>(
      [
        'import json, sys, zipfile',
        'archive = zipfile.ZipFile(json.load(sys.stdin))',
        'assert archive.testzip() is None',
        'files = archive.infolist()',
        'print(json.dumps({"names": archive.namelist(), "sizes": [f.file_size for f in files],',
        '  "needs": [f.extract_version for f in files]}))',
      ],
      path,
    );
    if (seen === null) throw new Error('Python has answered');
    expect(seen.names).toEqual(['empty', 'first/small.txt', 'noise', 'last.txt']);
    expect(seen.sizes).toEqual([0, small.length, noise.length, small.length]);
    const needs = { none: [20, 20, 20, 20], everything: [20, 45, 45, 45] };
    if (_title in needs) expect(seen.needs).toEqual(needs[_title as keyof typeof needs]);
    if (_title.startsWith('large')) expect(seen.needs).toEqual([20, 20, 45, 45]);
    const reader = await ZipReader.open(path, 10);
    expect((await reader.read('noise', noise.length))?.equals(noise)).toBe(true);
    expect((await reader.read('last.txt', 100))?.equals(small)).toBe(true);
    expect((await reader.read('empty', 100))?.length).toBe(0);
    reader.close();
  },
);

it('is the same bytes every time', async () => {
  const [one, other] = await Promise.all([zipped(LIMITS[3][1]), zipped(LIMITS[3][1])]);
  expect((await readFile(one)).equals(await readFile(other))).toBe(true);
});

it('stops between two pieces of a file', async () => {
  const folder = await temporaryFolder();
  const stopping = new AbortController();
  let packed = 0;
  const zip = await ZipWriter.create(join(folder, 'x.zip'), {
    signal: stopping.signal,
    packed: (bytes) => {
      packed += bytes;
      stopping.abort();
    },
  });
  await expect(zip.addBytes('noise', noise)).rejects.toThrow();
  expect(packed).toBeLessThan(noise.length);
  await zip.close();
});
