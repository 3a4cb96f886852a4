import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Python with torch and transformers, as `npm test` sets it up; null: without it these tests are left out. */
export const learnerPython: string | null = process.env.MARS2_LEARNER_PYTHON ?? null;

export const learnerProgram = fileURLToPath(new URL('../../resources/learner', import.meta.url));

/** Folder of a tiny model of random weights whose tokens are pieces of Python; made once per seed. */
export async function tinyModel(seed: number): Promise<string> {
  const folder = join(tmpdir(), `mars2-tiny-models-${process.getuid?.() ?? 0}`, `seed-${seed}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
  execFileSync(
    learnerPython as string,
    ['-m', 'mars2_learner', 'tiny', '--out', made, '--seed', String(seed)],
    { env: { ...process.env, PYTHONPATH: learnerProgram }, stdio: 'pipe' },
  );
  // Another test may have made it at the same time.
  await rename(made, folder).catch((error: NodeJS.ErrnoException) => {
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** The learner's Python has TRL, and what TRL imports but does not ask for. */
export function hasTrl(): boolean {
  const question =
    'from importlib.util import find_spec; exit(None in (find_spec("trl"), find_spec("requests")))';
  try {
    execFileSync(learnerPython as string, ['-c', question], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
