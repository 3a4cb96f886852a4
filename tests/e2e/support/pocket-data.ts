import { existsSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { temporaryData } from './app';
import { runCli } from './cli';

/** The same bytes in every data folder, at the same path. */
const PARTS = ['benchmarks', 'checkpoints'];

/**
 * A data folder of one test in which the pocket benchmark is made and its policies are trained. A data folder's first
 * study does both, in some seconds of work; here the first caller of a run does, and all copy what it made.
 */
export async function temporaryPocketData(): Promise<
  Awaited<ReturnType<typeof temporaryData>> & { readonly dataDir: string }
> {
  const made = await madePocketData();
  const data = await temporaryData();
  const dataDir = join(data.path, 'data');
  for (const part of PARTS) await cp(join(made, part), join(dataDir, part), { recursive: true });
  return { ...data, dataDir };
}

async function madePocketData(): Promise<string> {
  const run = process.env.MARS2_TEST_SCRATCH;
  if (!run) throw new Error('MARS2_TEST_SCRATCH is not set: run the tests with "npm test -- e2e"');
  const made = join(run, 'pocket');
  const isOurs = await mkdir(join(run, 'pocket-claimed')).then(
    () => true,
    () => false,
  );
  if (isOurs) {
    const folder = join(run, 'pocket-in-work');
    const size = ['--problems', '1', '--nodes', '1'];
    const done = runCli(['quickstart', ...size, '--out', join(run, 'csv'), '--data', folder]);
    expect(done.status, done.stderr).toBe(0);
    await rename(folder, made);
  }
  await expect.poll(() => existsSync(made), { timeout: 240_000 }).toBe(true);
  return made;
}
