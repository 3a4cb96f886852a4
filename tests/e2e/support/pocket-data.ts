import { existsSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { temporaryData } from './app';
import { runCli } from './cli';

/** The same bytes in every data folder, at the same path. */
const PARTS = ['benchmarks', 'checkpoints'];
const STUDY = ['studies', 'registry.json'];
const SMALLEST = ['--problems', '1', '--nodes', '1'];

/**
 * A data folder of one test in which the pocket benchmark is made and its policies are trained; on demand the reward
 * model too. A data folder's first study does that, in some seconds of work; here the first caller of a run does, and
 * all copy what it made. With `study` that study is there too: a finished quickstart of one problem and one node.
 */
export async function temporaryPocketData({
  rewardModel = false,
  study = false,
}: {
  readonly rewardModel?: boolean;
  readonly study?: boolean;
} = {}): Promise<Awaited<ReturnType<typeof temporaryData>> & { readonly dataDir: string }> {
  const made = await (rewardModel ? withRewardModel() : withPolicies());
  const data = await temporaryData();
  const dataDir = join(data.path, 'data');
  await copyParts(made, dataDir, study ? [...PARTS, ...STUDY] : PARTS);
  return { ...data, dataDir };
}

function withPolicies(): Promise<string> {
  return madeOnce('policies', (folder) => mustRun('quickstart', ...SMALLEST, '--data', folder));
}

function withRewardModel(): Promise<string> {
  return madeOnce('reward-model', async (folder) => {
    await copyParts(await withPolicies(), folder);
    const search = ['--strategy', 'mars2-t-plus', '--reward-model', 'pocket', '--samples', '0'];
    const study = ['--benchmark', 'pocket-test-1-60', '--configuration', 'a=pocket:reader', ...SMALLEST];
    mustRun('run', ...study, ...search, '--data', folder);
  });
}

/** By whichever worker asks first in this run; others wait for it. Gives the folder. */
async function madeOnce(name: string, make: (folder: string) => void | Promise<void>): Promise<string> {
  const folder = join(scratch(), name);
  const isFirst = await mkdir(`${folder}-claimed`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await make(`${folder}-unfinished`);
    await rename(`${folder}-unfinished`, folder);
  }
  await expect.poll(() => existsSync(folder), { timeout: 240_000 }).toBe(true);
  return folder;
}

/** The run's own folder. */
function scratch(): string {
  const path = process.env.MARS2_TEST_SCRATCH;
  if (!path) throw new Error('MARS2_TEST_SCRATCH is not set: run the tests with "npm test -- e2e"');
  return path;
}

function mustRun(...args: readonly string[]): void {
  const done = runCli([...args, '--out', join(scratch(), 'csv')]);
  expect(done.status, done.stderr).toBe(0);
}

async function copyParts(from: string, to: string, parts: readonly string[] = PARTS): Promise<void> {
  // As the workbench makes it: it would say that it has changed any other.
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const part of parts) await cp(join(from, part), join(to, part), { recursive: true });
}
