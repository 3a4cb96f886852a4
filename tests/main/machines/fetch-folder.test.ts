import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLocalMachine, fetchFolder, type Machine } from '../../../main/machines';
import { readFolderEntries } from '../../../main/machines/logic/folder-entries';
import { packagesScript, readPackages } from '../../../main/machines/logic/learner-packages';
import { temporaryFolder } from '../../support/temporary-folder';

/** A folder "there" with a large binary file, and a place for its copy. */
async function folders(): Promise<{ machine: Machine; there: string; here: string; weights: Buffer }> {
  const folder = await temporaryFolder();
  const [there, here] = [join(folder, "there's"), join(folder, 'here')];
  const weights = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256));
  await mkdir(join(there, 'inner'), { recursive: true });
  await writeFile(join(there, 'model.safetensors'), weights);
  await writeFile(join(there, 'inner', 'config.json'), '{}');
  await symlink('/etc/passwd', join(there, 'link'));
  return { machine: createLocalMachine(join(folder, 'home')), there, here, weights };
}

test('a folder is copied byte for byte, for this user only, without its links', async () => {
  const { machine, there, here, weights } = await folders();
  expect(await fetchFolder(machine, there, join(here, 'copy'))).toEqual({
    ok: true,
    value: { bytes: 300_002 },
  });
  expect(await readFile(join(here, 'copy', 'model.safetensors'))).toEqual(weights);
  expect((await stat(join(here, 'copy', 'model.safetensors'))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(here, 'copy'))).toEqual(['inner', 'model.safetensors']);
  expect(await readdir(here)).toEqual(['copy']);
  // Whole once, whole for ever.
  await writeFile(join(there, 'inner', 'config.json'), '{"changed":1}');
  expect(await fetchFolder(machine, there, join(here, 'copy'))).toEqual({ ok: true, value: { bytes: 0 } });
});

test('a file that arrives damaged or short leaves nothing behind', async () => {
  const { machine, there, here } = await folders();
  const short: Machine = {
    ...machine,
    spawn: (command, args, env = {}) =>
      machine.spawn(
        command,
        args,
        Object.fromEntries(
          Object.entries(env).map(([name, text]) => [name, text.replace('head -c 300000', 'head -c 299999')]),
        ),
      ),
  };
  const fetched = await fetchFolder(short, there, join(here, 'copy'));
  expect(fetched.ok ? null : fetched.error.message).toMatch(
    /model\.safetensors differs from the original\.$/,
  );
  expect(await readdir(here)).toEqual([]);
});

test('an absent folder is refused with the reason', async () => {
  const { machine, there, here } = await folders();
  const fetched = await fetchFolder(machine, `${there}/absent`, join(here, 'copy'));
  expect(fetched.ok ? null : fetched.error).toMatchObject({ code: 'unavailable' });
});

test.each(['../x', 'a/../../x', '/etc/x', '.hidden', 'a/.b', 'a\tb', 'a\\x'])(
  'a machine cannot name the file %j',
  (name) => {
    expect(readFolderEntries(`3 ${'0'.repeat(64)} ./fine\n`)).toHaveLength(1);
    expect(readFolderEntries(`3 ${'0'.repeat(64)} ./fine\n3 ${'0'.repeat(64)} ./${name}\n`)).toBeNull();
  },
);

test('missing packages are read from the learner’s own answer, and a Python that is not there is none', async () => {
  const { machine } = await folders();
  const ask = async (python: string, setUp = '', more: readonly string[] = []) => {
    const program = join(process.cwd(), 'resources', 'learner');
    const answer = await machine.run(packagesScript({ python, program, setUp, more }));
    return answer.ok ? readPackages(answer.value.stdout) : null;
  };
  // Without its site packages.
  expect(await ask('python3', 'python3() { command python3 -S "$@"; }')).not.toBeNull();
  expect(await ask('python3', '', ['no-such-package'])).toContain('no-such-package');
  expect(await ask('/absent/python')).toBeNull();
  expect(readPackages('noise\n@mars2-missing@pip install torch,pip install peft\n')).toEqual([
    'torch',
    'peft',
  ]);
  expect(readPackages('@mars2-missing@\n')).toEqual([]);
});
