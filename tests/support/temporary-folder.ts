import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder that is gone after the test (or after `dispose`, for hooks, which have no test). */
export async function makeTemporaryFolder(): Promise<{ path: string; dispose: () => Promise<void> }> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'workbench test '));
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}

/** A new empty folder that is removed when the running test ends. Its path has a space in it, like many users'. */
export async function temporaryFolder(): Promise<string> {
  const { path, dispose } = await makeTemporaryFolder();
  onTestFinished(dispose);
  return path;
}
