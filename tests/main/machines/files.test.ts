import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalMachine, listFiles, type Machine, readFilePiece } from '../../../main/machines';
import { listingScript, readListing } from '../../../main/machines/logic/listing-script';
import { connectedMachine } from '../../support/fleet-bench';
import { hasSshd, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);

/** Names that break a list of lines, a command or a terminal where they are not treated as data. */
const HOSTILE = [
  '$(touch proof)',
  '`touch proof`',
  "'; touch proof; '",
  '"; touch proof; "',
  '-rf',
  '--help',
  '* ?[a]',
  'a  b\tc',
  '\u001b[2J\u0007bell',
  'S 41ed 1 1 .',
  '@ 9 9',
  'E x',
  'back\\slash\\n',
  'ä‮漢字',
  '.hidden',
];

const KINDS: readonly (readonly [string, () => Promise<Machine>])[] = [
  ['this computer', async () => createLocalMachine(await temporaryFolder())],
  ...(hasSshd
    ? [
        [
          'a machine behind ssh',
          async () => {
            const sshd = await startSshd();
            onTestFinished(sshd.stop);
            return (await connectedMachine(sshd)).machine;
          },
        ] as const,
      ]
    : []),
];

describe.each(KINDS)('files of %s', (_, open) => {
  test('hostile names are data: each is listed as it is, and nothing of them runs', async () => {
    const machine = await open();
    const folder = await temporaryFolder();
    for (const name of HOSTILE) await writeFile(join(folder, name), name);
    await mkdir(join(folder, 'a folder'));
    await writeFile(join(folder, 'two\nlines'), '');
    await writeFile(Buffer.concat([Buffer.from(`${folder}/latin-`), Buffer.from([0xe4])]), '');
    const { files, more, unreadable } = await unwrap(listFiles(machine, folder));
    expect(files.map(({ name }) => name)).toEqual(['a folder', ...[...HOSTILE].sort()]);
    expect(files[0]).toMatchObject({ kind: 'folder', bytes: 0 });
    for (const { name, bytes, kind } of files.slice(1)) {
      expect({ kind, bytes }).toEqual({ kind: 'file', bytes: Buffer.byteLength(name) });
      const piece = await unwrap(readFilePiece(machine, join(folder, name), -65_536, 65_536));
      expect(piece.text).toBe(name);
    }
    expect({ more, unreadable }).toEqual({ more: 0, unreadable: 2 });
    // As folders and as begins of names too.
    for (const name of HOSTILE.slice(0, 4)) {
      expect((await unwrap(listFiles(machine, folder, { prefix: name }))).files).toMatchObject([{ name }]);
      await mkdir(join(folder, 'a folder', name));
      expect((await unwrap(listFiles(machine, join(folder, 'a folder', name)))).files).toEqual([]);
    }
    expect((await readdir(folder)).includes('proof')).toBe(false);
    expect((await unwrap(listFiles(machine, folder, { prefix: '*' }))).files).toMatchObject([
      { name: '* ?[a]' },
    ]);
    expect((await unwrap(listFiles(machine, folder, { prefix: '../' }))).files).toEqual([]);
    expect((await unwrap(listFiles(machine, folder, { prefix: '.' }))).files).toMatchObject([
      { name: '.hidden' },
    ]);
  });

  test('links in circles or to nowhere are listed as such, and pipes and devices are not read', async () => {
    const machine = await open();
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'inner'));
    await symlink(folder, join(folder, 'inner', 'up'));
    await symlink('round', join(folder, 'round'));
    await symlink(join(folder, 'gone'), join(folder, 'lost'));
    await symlink('/dev/zero', join(folder, 'zeros'));
    await run('mkfifo', [join(folder, 'pipe')]);
    const { files } = await unwrap(listFiles(machine, folder));
    expect(files.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'inner folder',
      'lost link',
      'pipe other',
      'round link',
      'zeros other',
    ]);
    const around = await unwrap(listFiles(machine, join(folder, 'inner/up/inner/up')));
    expect(around.folder).toBe(folder);
    for (const name of ['pipe', 'zeros', 'inner', 'lost', 'round'])
      expect((await readFilePiece(machine, join(folder, name), 0, 100)).ok).toBe(false);
  });

  test('what is not there, or is no folder, is said', async () => {
    const machine = await open();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), 'x');
    expect(await listFiles(machine, join(folder, 'gone'))).toMatchObject({ error: { code: 'not-found' } });
    expect(await listFiles(machine, join(folder, 'file'))).toMatchObject({ error: { code: 'bad-input' } });
    expect(await readFilePiece(machine, folder, 0, 10)).toMatchObject({
      error: { code: 'bad-input', message: expect.stringContaining('not a regular file') },
    });
    expect((await unwrap(listFiles(machine, '~'))).folder).toMatch(/^\//);
  });

  test('of 100,000 names the first are listed, the others are counted', async () => {
    const machine = await open();
    const folder = await temporaryFolder();
    await run('sh', ['-c', 'cd "$0" && seq -f step-%06g 1 100000 | xargs touch', folder]);
    const { files, more } = await unwrap(listFiles(machine, folder));
    expect(files).toHaveLength(5_000);
    expect(files[0]?.name).toBe('step-000001');
    expect(files.length + more).toBeGreaterThanOrEqual(100_000);
    const some = await unwrap(listFiles(machine, folder, { prefix: 'step-0999', most: 20 }));
    expect(some.files).toHaveLength(20);
    expect(some.more).toBe(80);
  });

  test('of a huge file with holes the end is read at once', async () => {
    const machine = await open();
    const path = join(await temporaryFolder(), 'huge');
    await run('truncate', ['-s', '200G', path]);
    await run('sh', ['-c', 'printf "\\nthe end" >>"$0"', path]);
    const piece = await unwrap(readFilePiece(machine, path, -8, 100));
    expect(piece).toMatchObject({ text: '\nthe end', isBinary: false, size: 200 * 1_024 ** 3 + 8 });
    expect(await unwrap(readFilePiece(machine, path, 0, 10))).toMatchObject({
      isBinary: true,
      nextOffset: 10,
    });
  });
});

test('an answer of another form is refused, whatever stands in it', () => {
  for (const text of ['', 'x', '/a', '\0@ 0 0\n', 'relative\0@ 0 0\n', '/a\0', '/a\0@ x y\n', '/a\0@ -1 0\n'])
    expect(readListing(text, String)).toBeNull();
  const odd = '/a\0S zz 1 1 ./x\nS 81a4 1e9 1 ./x\nS 81a4 1 99999999999999 ./x\nother\n@ 0 0\n';
  expect(readListing(odd, String)).toEqual({ folder: '/a', files: [], more: 0, unreadable: 0 });
});

test.each(['dash', 'bash', 'busybox'])('the same names in %s', async (shell) => {
  const program = await run('sh', ['-c', 'command -v "$0"', shell]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
  if (program === null) return;
  const folder = await temporaryFolder();
  await writeFile(join(folder, "it's"), 'four');
  await mkdir(join(folder, 'sub'));
  const words = shell === 'busybox' ? ['sh', '-c'] : ['-c'];
  const { stdout } = await run(program, [...words, listingScript(folder, '', 100)]);
  expect(readListing(stdout, String)?.files).toMatchObject([
    { name: 'sub', kind: 'folder' },
    { name: "it's", kind: 'file', bytes: 4 },
  ]);
});
