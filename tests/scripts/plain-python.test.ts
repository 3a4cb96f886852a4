import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathWithPlainPython } from '../../scripts/testing/plain-python.mjs';
import { temporaryFolder } from '../support/temporary-folder';

it('tests start the interpreter itself where python3 is a script of a version manager', async () => {
  const folder = await temporaryFolder();
  const [shims, version] = [join(folder, 'shims'), join(folder, 'version')];
  await mkdir(shims);
  await mkdir(version);
  await writeFile(join(shims, 'python3'), `#!/bin/sh\necho '${version}/python3'\n`);
  await chmod(join(shims, 'python3'), 0o755);
  expect(await pathWithPlainPython(`${shims}:/usr/bin`)).toBe(`${version}:${shims}:/usr/bin`);
  await symlink(process.execPath, join(version, 'python3'));
  expect(await pathWithPlainPython(`${version}:/usr/bin`)).toBe(`${version}:/usr/bin`);
});

it('a version manager that has no Python to start leaves PATH as it was', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'python3'), '#!/bin/sh\nexit 127\n');
  await chmod(join(folder, 'python3'), 0o755);
  expect(await pathWithPlainPython(folder)).toBe(folder);
});
