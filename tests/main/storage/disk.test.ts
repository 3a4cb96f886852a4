import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../main/storage/journal-line';
import { bundleScript } from '../../support/bundled-script';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { nodeAdded, nodeGraded, runStarted } from './sample-events';

/*
 * A small disk and a read-only one, mounted in a namespace of their own: so root and ordinary users can, in a container
 * too where it lets them make namespaces. The mount is gone with the process.
 */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /tmp']).status === 0;

function inNamespace(
  commands: string,
  ...args: readonly string[]
): { status: number | null; lines: string[] } {
  const done = spawnSync('unshare', ['-rm', 'sh', '-c', commands, 'sh', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { status: done.status, lines: done.stdout.trim().split('\n') };
}

let append = '';
let listing = '';
beforeAll(async () => {
  const [one, other] = [await makeTemporaryFolder(), await makeTemporaryFolder()];
  append = await bundleScript(join(import.meta.dirname, 'programs', 'append-events.ts'), one.path);
  listing = await bundleScript(join(import.meta.dirname, 'programs', 'look-at-journal.ts'), other.path);
  return async () => {
    await one.dispose();
    await other.dispose();
  };
});

describe.skipIf(!canMount)('where namespaces can be made (else skipped)', () => {
  it('a full disk stops a journal clearly, then and later, and leaves whole lines that open again', async () => {
    const [disk, backup] = [await temporaryFolder(), await temporaryFolder()];
    const { status, lines } = inNamespace(
      'mount -t tmpfs -o size=256k none "$1" && "$3" "$4" "$1/run.jsonl" && cp "$1/run.jsonl" "$2/"',
      disk,
      backup,
      process.execPath,
      append,
    );
    expect(status).toBe(0);
    expect(JSON.parse(lines.pop() ?? 'null')).toEqual({
      message: expect.stringContaining('could not be written: the disk is full (ENOSPC)'),
      again: 'the same',
    });
    const bytes = await readFile(join(backup, 'run.jsonl'));
    expect(bytes.at(-1)).toBe(0x0a);
    expect(lines.length).toBeGreaterThan(10);
    expect(bytes.toString().split('\n').length - 2).toBeGreaterThanOrEqual(2 * lines.length);
  });

  it('a journal in a read-only folder is shown with its nodes, and one to write is refused', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'study'));
    const path = join(folder, 'study', 'run.jsonl');
    const torn = Buffer.from('{"kind":"node-add');
    const events = [runStarted(), nodeAdded(0), nodeGraded(0)];
    await writeFile(path, Buffer.concat([...events.map(encodeEvent), torn]));
    const before = await readFile(path);
    const { status, lines } = inNamespace(
      'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && "$2" "$3" "$1/study/run.jsonl"',
      folder,
      process.execPath,
      listing,
    );
    expect(status).toBe(0);
    expect(JSON.parse(lines[0] ?? 'null')).toEqual({
      events: 3,
      damage: null,
      program: nodeAdded(0).detail?.program,
      opened: expect.stringContaining('the file system is read-only (EROFS)'),
      repaired: expect.stringContaining('is not damaged'),
      replaced: 'EROFS',
      locked: `The data folder ${join(folder, 'study')} cannot be used: the file system is read-only (EROFS). Choose another folder with --data.`,
    });
    expect(await readFile(path)).toEqual(before);
  });
});
