import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files of this run share; see once-per-run.ts. */
    readonly runFolder: string;
  }
}

/** Makes the folder before the first test file and removes it after the last; all projects of a run have the same. */
export default async function openRunFolder(project: TestProject): Promise<() => Promise<void>> {
  // Within the project, where programs that are built there find its packages.
  const folder = resolve('node_modules', '.cache', `tests-${process.pid}`);
  await mkdir(folder, { recursive: true });
  project.provide('runFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
