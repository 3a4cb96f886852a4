import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { gradingFinding } from '../../../main/grading/doctor-finding';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';
import { grade, RESOURCES } from './sandbox';

const run = promisify(execFile);
const NAMES = ['numpy', 'scipy', 'pandas', 'sympy', 'networkx', 'sortedcontainers'];

/** A virtual environment first on the path, with packages by these names that do nothing. */
async function environmentWithPackages(): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755); // as root, sandboxes run as nobody
  await run('/usr/bin/python3', ['-m', 'venv', '--without-pip', join(folder, 'env')]);
  const [library = ''] = await readdir(join(folder, 'env', 'lib'));
  const packages = join(folder, 'env', 'lib', library, 'site-packages');
  for (const name of NAMES) {
    await mkdir(join(packages, name));
    await writeFile(join(packages, name, '__init__.py'), 'MADE_UP = 42\n');
    await mkdir(join(packages, `${name}-9.9.dist-info`));
    await writeFile(join(packages, `${name}-9.9.dist-info`, 'METADATA'), `Name: ${name}\nVersion: 9.9\n`);
  }
  vi.stubEnv('PATH', [join(folder, 'env', 'bin'), process.env.PATH].join(delimiter));
  return folder;
}
afterEach(() => vi.unstubAllEnvs());

async function open(named: string | null = null) {
  const grader = createGrader(await unwrap(launcherOf(RESOURCES, ['shared'], [], named)), 1);
  onTestFinished(grader.dispose);
  return grader;
}

test('a virtual environment with numpy grades before the system’s Python without, inside the sandbox', async () => {
  const folder = await environmentWithPackages();
  const grader = await open();
  expect(grader.choice.path).toBe(join(folder, 'env', 'bin', 'python3'));
  expect(grader.choice.reason).toContain('It has more of the packages');
  expect(grader.choice.reason).toContain('/usr/bin/python3 has ');
  const program = 'import numpy, sortedcontainers\nprint(numpy.MADE_UP, sortedcontainers.MADE_UP)';
  const tests = [{ kind: 'stdin', input: '', expected: '42 42' } as const];
  expect(await grade(grader, { program, tests })).toMatchObject({ verdict: 'passed' });
  // The doctor names the same one.
  const finding = await gradingFinding({ resourcesDir: RESOURCES, allowUnsandboxed: false });
  expect(finding).toMatchObject({ state: 'good', todo: null });
  expect(finding.found).toContain(`in ${grader.choice.path} grades in the sandbox with numpy 9.9`);
});

test('the one that the settings name grades, whatever others have', async () => {
  await environmentWithPackages();
  const { choice } = await open('/usr/bin/python3');
  expect(choice).toEqual({
    path: '/usr/bin/python3',
    reason: 'It is the one that is named in Settings, Grading.',
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'one that the sandbox’s user cannot read does not grade, and the reason says so (needs root)',
  async () => {
    const folder = await environmentWithPackages();
    await chmod(folder, 0o700);
    const { choice } = await open();
    expect(choice.path).not.toContain(folder);
    expect(choice.reason).toContain(
      `${join(folder, 'env', 'bin', 'python3')} has numpy 9.9, scipy 9.9, pandas 9.9, sympy 9.9, networkx 9.9, sortedcontainers 9.9, but cannot grade: the user "nobody", as whom root's sandboxes run, cannot read ${folder}`,
    );
  },
);
