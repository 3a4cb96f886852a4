import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { eventually } from './eventually';

/**
 * A folder of this name that the first test file to ask for it fills with `make`, for all files of the run: what takes
 * seconds to build, always comes out the same and is not changed by whoever uses it. Others wait until it is whole.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const whole = join(inject('runFolder'), name);
  const unfinished = `${whole}.unfinished`;
  return eventually(`${name}, which another test file makes`, async () => {
    if (existsSync(whole)) return whole;
    // Exactly one gets to make this folder.
    const isOurs = await mkdir(unfinished).then(
      () => true,
      () => false,
    );
    if (!isOurs) return null;
    try {
      await make(unfinished);
      await rename(unfinished, whole);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
    return whole;
  });
}
