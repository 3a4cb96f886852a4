import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import {
  findPythons,
  interpreterOf,
  PYTHON_PROBE,
  type PythonInterpreter,
  parsePythonProbe,
  requiredPaths,
} from '../../../main/grading/python-interpreter';
import { makeRunnerFolder } from '../../../main/grading/runner-folder';
import { createGrader } from '../../../main/grading/sandbox-grader';
import { sandboxLaunch } from '../../../main/grading/sandbox-launcher';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { grade, RESOURCES } from './sandbox';

const run = promisify(execFile);

/** The system's own, or the first on the path. */
async function systemPython(): Promise<PythonInterpreter> {
  for (const found of await findPythons()) {
    const python = await interpreterOf(found);
    if (python !== null) return python;
  }
  throw new Error('There is no Python 3.');
}

const choice = { path: '/test', reason: '' };

/**
 * A Python whose prefix is a folder as ~/.local is one: bin/ and lib/ with the interpreter, and beside it what belongs to
 * its user alone.
 */
async function pythonNextTo(prefix: string): Promise<string> {
  const system = await systemPython();
  const { stdout } = await run(system.path, [
    '-I',
    '-S',
    '-c',
    'import os; print(os.path.dirname(os.__file__))',
  ]);
  const library = stdout.trim();
  const executable = join(prefix, 'bin', basename(system.path));
  await mkdir(join(prefix, 'bin'), { recursive: true });
  await cp(system.path, executable);
  const left = new Set(['test', 'idlelib', 'site-packages', 'dist-packages', 'lib2to3', '__pycache__']);
  await cp(library, join(prefix, 'lib', basename(library)), {
    recursive: true,
    dereference: true,
    filter: (path) => !left.has(basename(path)),
  });
  return executable;
}

let prefix: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let runner: string;
let grader: Grader;
let secrets: readonly string[];
let folders: readonly string[];

beforeAll(async () => {
  prefix = await makeTemporaryFolder();
  // As root, candidates run as nobody: only the sandbox shall keep them out.
  await chmod(prefix.path, 0o755);
  const executable = await pythonNextTo(prefix.path);
  secrets = ['share/mars2-workbench/problems.jsonl', 'lib/notes.txt', 'bin/token.txt'].map((path) =>
    join(prefix.path, path),
  );
  await mkdir(join(prefix.path, 'share', 'mars2-workbench'), { recursive: true });
  for (const path of secrets) await writeFile(path, 'private tests', { mode: 0o644 });
  const python = parsePythonProbe((await run(executable, ['-I', '-S', '-c', PYTHON_PROBE])).stdout);
  if (python === null) throw new Error('This Python cannot grade.');
  folders = requiredPaths(python);
  runner = await makeRunnerFolder(RESOURCES, python.path, []);
  const sandbox = await sandboxLaunch(python, runner, ['shared', 'nested', 'single']);
  if (!sandbox.ok) throw new Error(JSON.stringify(sandbox.error));
  const common = { python: python.version, choice, packages: [], dispose: async () => undefined };
  const launcher = { ...common, ...sandbox.value };
  grader = createGrader(launcher, 1);
});
afterAll(async () => {
  await grader?.dispose();
  if (runner !== undefined) await rm(runner, { recursive: true, force: true });
  await prefix.dispose();
});

test('a candidate finds the interpreter and its library, and nothing else of a prefix such as ~/.local', async () => {
  const program = `import hashlib, json, math, os, sys, zlib
found = [p for p in json.loads(input()) if os.path.exists(p)]
print(sys.prefix == ${JSON.stringify(prefix.path)}, found, sorted(os.listdir(sys.prefix)))`;
  const tests = [
    { kind: 'stdin' as const, input: JSON.stringify(secrets), expected: "True [] ['bin', 'lib']" },
  ];
  expect(await grade(grader, { program, tests })).toMatchObject({ verdict: 'passed' });
});

/** The grader of the system's Python, with a home in a folder that sandboxes bind. */
async function graderWithHome(home: string): Promise<Grader> {
  const python = await systemPython();
  const folder = await makeRunnerFolder(RESOURCES, python.path, []);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sandbox = await sandboxLaunch(python, folder, ['shared', 'nested', 'single'], [home]);
  if (!sandbox.ok) throw new Error(JSON.stringify(sandbox.error));
  const common = { python: python.version, choice, packages: [], dispose: async () => undefined };
  const launcher = { ...common, ...sandbox.value };
  const opened = createGrader(launcher, 1);
  onTestFinished(() => opened.dispose());
  return opened;
}

/** What the candidate finds in the folder, and whether it can write there. */
const LOOK_AND_WRITE = `import os
place = input()
print(os.path.isdir(place), os.listdir(place) if os.access(place, os.R_OK) else None)
try:
    open(os.path.join(place, "left"), "w")
except OSError as error:
    print("no writing")`;

test.skipIf(process.getuid?.() !== 0)(
  'a home or data folder below /usr is empty for candidates, and takes nothing from them (needs root, to make one)',
  async () => {
    const local = await mkdtemp('/usr/local/mars2-test-');
    onTestFinished(() => rm(local, { recursive: true, force: true }));
    const home = join(local, 'home', 'x');
    await mkdir(join(home, 'data'), { recursive: true });
    await writeFile(join(home, 'data', 'problems.jsonl'), 'private tests', { mode: 0o644 });
    for (const path of [local, join(local, 'home'), home]) await chmod(path, 0o755);
    const judge = await graderWithHome(home);
    const tests = [{ kind: 'stdin' as const, input: `${home}\n`, expected: 'True []\nno writing' }];
    expect(await grade(judge, { program: LOOK_AND_WRITE, tests })).toMatchObject({ verdict: 'passed' });

    // One that others cannot enter needs no cover, and bubblewrap, as nobody, could give it none.
    await chmod(join(local, 'home'), 0o700);
    const closed = await graderWithHome(home);
    const none = [{ kind: 'stdin' as const, input: `${home}\n`, expected: 'False None\nno writing' }];
    expect(await grade(closed, { program: LOOK_AND_WRITE, tests: none })).toMatchObject({
      verdict: 'passed',
    });
  },
);

test('neither the prefix nor its lib folder is among what is bound', () => {
  expect(folders).not.toContain(prefix.path);
  expect(folders).not.toContain(join(prefix.path, 'lib'));
  expect(folders).toContainEqual(expect.stringMatching(/lib.python3\.\d+$/));
});
