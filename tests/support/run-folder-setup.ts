import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files of this run share; see once-per-run.ts. */
    readonly runFolder: string;
  }
}

/** `npm test` has one for all that it starts, and removes it. */
const given = process.env.MARS2_TEST_RUN_FOLDER;

/** Within the project, where programs that are built there find its packages. The same for all projects of a run. */
const runFolder = given ?? resolve('node_modules', '.cache', `tests-${process.pid}`);

/** Before the first test file of a run. */
export async function setup(project: TestProject): Promise<void> {
  await mkdir(runFolder, { recursive: true });
  project.provide('runFolder', runFolder);
}

/** After the last. */
export async function teardown(): Promise<void> {
  if (given === undefined) await rm(runFolder, { recursive: true, force: true });
}
