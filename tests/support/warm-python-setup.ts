import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { shellWords } from '../../main/base';
import { learnerProgram, learnerPython } from './learner';

declare module 'vitest' {
  interface ProvidedContext {
    /** See warm-python.ts; null where no learner can be had. */
    readonly warmPython: string | null;
  }
}

/** Before the first test file that needs a learner: the process that learners fork from. Ends it after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('warmPython', null);
  if (learnerPython === null) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'mars2-warm-'));
  const socket = join(folder, 'socket');
  const program = (name: string) => resolve('tests/learner', name);
  const server = spawn(learnerPython, [program('warm_server.py'), socket], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: learnerProgram, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const ended = once(server, 'exit');
  await Promise.race([once(server.stdout, 'data'), ended]);
  // An environment of its own: a server of a training's checkpoint starts in that of the training's Python.
  const bin = join(folder, 'bin');
  const path = join(bin, 'python');
  const words = shellWords([learnerPython, '-I', '-S', program('warm_client.py'), learnerPython, socket]);
  await mkdir(bin);
  await writeFile(join(bin, 'activate'), `PATH=${shellWords([bin])}:$PATH\nexport PATH\n`);
  await writeFile(path, `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(path, 0o755);
  await symlink('python', join(bin, 'python3'));
  project.provide('warmPython', path);
  return async () => {
    server.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}
