import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractFromTarball } from '../../scripts/ensure/untar.mjs';
import { safeJoin, unzip } from '../../scripts/ensure/unzip.mjs';

/** Archives made by another hand: Python's own writers. */
const makeArchives = `
import io, os, sys, tarfile, zipfile
folder = sys.argv[1]
with zipfile.ZipFile(os.path.join(folder, 'a.zip'), 'w') as archive:
    def add(name, data, mode, method=zipfile.ZIP_DEFLATED):
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.compress_type = method
        archive.writestr(info, data)
    add('app/', '', 0o40755)
    add('app/tool', '#!/bin/sh\\n', 0o100755)
    add('app/text', 'x' * 300000, 0o100644)
    add('app/stored', 'as it is', 0o100644, zipfile.ZIP_STORED)
    add('app/empty', '', 0o100644)
    add('app/link', 'text', 0o120777)
with tarfile.open(os.path.join(folder, 'a.tgz'), 'w:gz') as archive:
    def put(name, data):
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    put('package/before', b'b' * 700)
    put('package/wanted', bytes(range(256)) * 9000)
    put('package/after', b'a')
`;

describe('archives', () => {
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mars2 archives '));
    execFileSync('python3', ['-c', makeArchives, folder]);
    await unzip(join(folder, 'a.zip'), join(folder, 'out'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a program stays executable', () => {
    expect(lstatSync(join(folder, 'out/app/tool')).mode & 0o777).toBe(0o755);
  });

  it('a link stays a link', () => {
    expect(readlinkSync(join(folder, 'out/app/link'))).toBe('text');
  });

  it.each([
    ['app/text', 'x'.repeat(300_000)],
    ['app/stored', 'as it is'],
    ['app/empty', ''],
  ])('%s comes out as it went in', (name, expected) => {
    expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(expected);
  });

  it('a zip that is cut off is refused', async () => {
    const whole = readFileSync(join(folder, 'a.zip'));
    writeFileSync(join(folder, 'cut.zip'), whole.subarray(0, whole.length - 40));
    await expect(unzip(join(folder, 'cut.zip'), join(folder, 'cut'))).rejects.toThrow(/cut off/);
  });

  it.each(['../outside', 'a/../../outside'])('a path that leads outside is refused: %s', (name) => {
    expect(() => safeJoin('/tmp/inside', name)).toThrow(/outside/);
  });

  it('one file is taken out of a tarball, byte for byte', async () => {
    await extractFromTarball(join(folder, 'a.tgz'), 'package/wanted', join(folder, 'wanted'));
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const expected = Buffer.concat(Array.from({ length: 9_000 }, () => everyByte));
    expect(readFileSync(join(folder, 'wanted')).equals(expected)).toBe(true);
  });

  it('a tarball without that file is refused', async () => {
    await expect(
      extractFromTarball(join(folder, 'a.tgz'), 'package/none', join(folder, 'none')),
    ).rejects.toThrow(/does not hold/);
  });
});
