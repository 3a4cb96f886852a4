import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type JumpingClock = {
  readonly env: Readonly<Record<string, string>>;
  /** Sets it, from now on, to so many milliseconds after the right time. */
  readonly setTo: (aheadMs: number) => Promise<void>;
};

export const HOUR_MS = 3_600_000;

/** A clock for commands; it lies in the folder. `root`: of the sources. */
export async function jumpingClock(root: string, folder: string): Promise<JumpingClock> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'clock');
  const program = pathToFileURL(join(root, 'tests', 'faults', 'programs', 'jumping-clock.mjs'));
  return {
    env: { NODE_OPTIONS: `--import=${program.href}`, FAULTS_CLOCK: file },
    setTo: (aheadMs) => writeFile(file, String(aheadMs)),
  };
}
