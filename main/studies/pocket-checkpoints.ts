import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import {
  basePolicyFile,
  parseCheckpoint,
  parseRewardModel,
  readBasePolicy,
  STRONG_FAMILIES,
} from '../pocket/index';
import type { NodeRuntime } from '../servers/index';

/** Files of trained pocket models: made once per seed, in the data folder. Values are paths. */
export type PocketCheckpoints = {
  /** The base policy of a family. */
  readonly ensure: (family: string, seed: number, signal: AbortSignal) => Promise<Result<string, Refusal>>;
  /** The reward model, trained on candidates of the base policies of the strong families with the same seed. */
  readonly ensureReward: (seed: number, signal: AbortSignal) => Promise<Result<string, Refusal>>;
  /** A policy from a training; refused where its file is missing. */
  readonly trained: (policy: TrainedPolicy) => Promise<Result<string, Refusal>>;
};

type TrainedPolicy = { readonly trainingId: string; readonly checkpointId: string };

/** A file to train once. */
type LearnedFile = {
  readonly path: string;
  /** e.g. `The pocket policy "reader" could not be pre-trained` */
  readonly failure: string;
  readonly args: readonly string[];
  readonly reads: (text: string) => { readonly ok: boolean };
};

/** Training takes seconds of computing, so it runs in its own process, never in main. */
export function pocketCheckpoints(options: {
  readonly dataDir: string;
  readonly nodeRuntime: NodeRuntime;
  /** The built entry `pretrain-pocket`. */
  readonly script: string;
  /** Gets what the process said, in full, when it failed. */
  readonly onFailure?: (output: string) => void;
}): PocketCheckpoints {
  const folder = join(options.dataDir, 'checkpoints');

  const isGood = async ({ path, reads }: LearnedFile): Promise<boolean> => {
    try {
      return reads(await readFile(path, 'utf8')).ok;
    } catch {
      return false; // it is learned again, which names a folder that cannot be used
    }
  };

  const learn = ({ args, path }: LearnedFile, signal: AbortSignal): Promise<string | null> =>
    new Promise((resolve) => {
      const child = spawn(options.nodeRuntime.command, [options.script, ...args, '--out', path], {
        env: { ...process.env, ...options.nodeRuntime.env },
        stdio: ['ignore', 'ignore', 'pipe'],
        signal,
      });
      let errors = '';
      child.stderr.on('data', (piece: Buffer) => {
        errors = (errors + piece.toString()).slice(-2_000);
      });
      child.on('error', (error) => resolve(error.message));
      child.on('close', (code) =>
        resolve(code === 0 ? null : errors.trim() || `it ended with exit code ${code}`),
      );
    });

  const ensured = async (learned: LearnedFile, signal: AbortSignal): Promise<Result<string, Refusal>> => {
    await mkdir(folder, { recursive: true });
    if (await isGood(learned)) return ok(learned.path);
    const problem = await learn(learned, signal);
    if (problem === null && (await isGood(learned))) return ok(learned.path);
    if (!signal.aborted) options.onFailure?.(`${learned.failure}: ${problem ?? 'its file is not readable'}`);
    return failed({
      code: 'unavailable',
      message: `${learned.failure}: ${problem ?? 'its file is not readable'}`,
      hint: `Check that ${folder} is writable, then start the study again.`,
    });
  };

  const ensure: PocketCheckpoints['ensure'] = (family, seed, signal) =>
    ensured(
      {
        path: join(folder, basePolicyFile({ family, seed })),
        failure: `The pocket policy "${family}" could not be pre-trained`,
        args: ['--family', family, '--seed', String(seed)],
        reads: (text) => readBasePolicy(text, { family, seed }),
      },
      signal,
    );

  return {
    ensure,
    trained: async ({ trainingId, checkpointId }) => {
      const path = join(options.dataDir, 'trainings', trainingId, 'checkpoints', `${checkpointId}.json`);
      // Both are read from files: they must not lead out of the folder.
      const isPlain = [trainingId, checkpointId].every((name) => /^[\w-][\w.-]*$/.test(name));
      const reads = parseCheckpoint;
      if (isPlain && (await isGood({ path, reads, failure: '', args: [] }))) return ok(path);
      return failed({
        code: 'not-found',
        message: `The checkpoint "${checkpointId}" of the training ${trainingId} no longer exists.`,
        hint: 'It was removed with its training. Train again, or choose another checkpoint.',
      });
    },
    ensureReward: async (seed, signal) => {
      const learned: LearnedFile = {
        path: join(folder, `pocket-reward-${seed}.json`),
        failure: 'The pocket reward model could not be trained',
        args: ['--reward', '--seed', String(seed)],
        reads: parseRewardModel,
      };
      if (await isGood(learned)) return ok(learned.path);
      const policies: string[] = [];
      for (const family of STRONG_FAMILIES) {
        const policy = await ensure(family, seed, signal);
        if (!policy.ok) return policy;
        policies.push('--policy', policy.value);
      }
      return ensured({ ...learned, args: [...learned.args, ...policies] }, signal);
    },
  };
}
