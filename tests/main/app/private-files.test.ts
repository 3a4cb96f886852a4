import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildWorkbench } from '../../support/built-workbench';
import { temporaryFolder } from '../../support/temporary-folder';

const run = promisify(execFile);
const SECRET = 'planted-in-the-environment';

/** The terminal program as a user with the usual mask types it, with a key in the environment. */
async function mars2(
  dataDir: string,
  ...words: readonly string[]
): Promise<{ stdout: string; stderr: string }> {
  const cli = join(await buildWorkbench(), 'out', 'main', 'cli.js');
  const line = 'umask 0022; exec "$@"';
  const [command, rest] = words.includes('--')
    ? [words.slice(0, words.indexOf('--')), words.slice(words.indexOf('--'))]
    : [words, []];
  const typed = [process.execPath, cli, ...command, '--data', dataDir, ...rest];
  return run('/bin/sh', ['-c', line, 'sh', ...typed], { env: { ...process.env, MARS2_SECRET_LAB: SECRET } });
}

/** Everything in a data folder by path, links left out. */
async function entriesOf(folder: string): Promise<ReadonlyMap<string, { mode: number; isFile: boolean }>> {
  const entries = new Map([[folder, { mode: (await stat(folder)).mode & 0o777, isFile: false }]]);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    entries.set(path, { mode: (await lstat(path)).mode & 0o777, isFile: entry.isFile() });
  }
  return entries;
}

const openToOthers = async (folder: string): Promise<string[]> =>
  [...(await entriesOf(folder))].flatMap(([path, { mode }]) => ((mode & 0o077) === 0 ? [] : [path]));

/** A data folder of an earlier version, with the modes that it had. */
async function earlierDataFolder(): Promise<string> {
  const dataDir = join(await temporaryFolder(), 'data');
  await run('tar', ['-xzf', resolve('tests/fixtures/data-folders/c6a87f5.tar.gz'), '-C', dirname(dataDir)]);
  for (const [path, { isFile }] of await entriesOf(dataDir)) await chmod(path, isFile ? 0o644 : 0o755);
  return dataDir;
}

test('an open data folder is made private once, without following a link, and it is said', async () => {
  const dataDir = await earlierDataFolder();
  const outside = join(dirname(dataDir), 'outside.txt');
  await writeFile(outside, 'not ours to change');
  await chmod(outside, 0o644);
  await symlink(outside, join(dataDir, 'studies', 'link'));

  const first = await mars2(dataDir, 'studies', 'list');
  expect(first.stderr).toMatch(/Other users of this computer could read .* \d+ of its files/);
  expect(await openToOthers(dataDir)).toEqual([]);
  expect((await stat(outside)).mode & 0o777).toBe(0o644);

  const second = await mars2(dataDir, 'studies', 'list');
  expect(second.stderr).not.toContain('Other users');
});

test('what is written into a new data folder is private whatever the mask, and a program of the user keeps the mask and sees no key', async () => {
  const home = await temporaryFolder();
  const [dataDir, log] = [join(home, 'data'), join(home, 'job.log')];
  const script = 'umask; env; touch made; stat -c %a made';
  const started = await mars2(dataDir, 'jobs', 'start', 'local', '--json', '--', 'sh', '-c', script);
  const { id } = JSON.parse(started.stdout) as { readonly id: string };
  await mars2(dataDir, 'jobs', 'logs', id, '--follow');
  await mars2(dataDir, 'jobs', 'logs', id, '--out', log);

  const text = await readFile(log, 'utf8');
  expect(text).toMatch(/^0022$/m);
  expect(text).toMatch(/^644$/m);
  expect(text).not.toContain(SECRET);
  // What a user saves elsewhere is as the user's other files.
  expect((await stat(log)).mode & 0o777).toBe(0o644);
  // The job made its own file in its own folder, as it makes files anywhere.
  expect((await openToOthers(dataDir)).filter((path) => !path.endsWith('/made'))).toEqual([]);
});
