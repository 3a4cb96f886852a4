import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { parseCheckpoint } from '../pocket/index';
import type { NodeRuntime } from '../servers/index';

/** Base checkpoints of the pocket policies: made once per family and seed, kept in the data folder. */
export type PocketCheckpoints = {
  readonly ensure: (family: string, seed: number, signal: AbortSignal) => Promise<Result<string, Refusal>>;
};

/** Pre-training takes seconds of pure computing, so it runs in a process of its own, never in main. */
export function pocketCheckpoints(options: {
  readonly dataDir: string;
  readonly nodeRuntime: NodeRuntime;
  /** The built entry `pretrain-pocket`. */
  readonly script: string;
}): PocketCheckpoints {
  const folder = join(options.dataDir, 'checkpoints');

  const isGood = async (path: string): Promise<boolean> => {
    try {
      return parseCheckpoint(await readFile(path, 'utf8')).ok;
    } catch {
      return false;
    }
  };

  const pretrain = (
    family: string,
    seed: number,
    path: string,
    signal: AbortSignal,
  ): Promise<string | null> =>
    new Promise((resolve) => {
      const child = spawn(
        options.nodeRuntime.command,
        [options.script, '--family', family, '--seed', String(seed), '--out', path],
        { env: { ...process.env, ...options.nodeRuntime.env }, stdio: ['ignore', 'ignore', 'pipe'], signal },
      );
      let errors = '';
      child.stderr.on('data', (piece: Buffer) => {
        errors = (errors + piece.toString()).slice(-2_000);
      });
      child.on('error', (error) => resolve(error.message));
      child.on('close', (code) =>
        resolve(code === 0 ? null : errors.trim() || `it ended with exit code ${code}`),
      );
    });

  return {
    ensure: async (family, seed, signal) => {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `pocket-${family}-base-${seed}.json`);
      if (await isGood(path)) return ok(path);
      const problem = await pretrain(family, seed, path, signal);
      if (problem === null && (await isGood(path))) return ok(path);
      return failed({
        code: 'unavailable',
        message: `The pocket policy "${family}" could not be pre-trained: ${problem ?? 'its checkpoint is not readable'}`,
        hint: `Check that ${folder} can be written, then start the study again.`,
      });
    },
  };
}
