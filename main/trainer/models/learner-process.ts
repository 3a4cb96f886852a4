import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TrainerError } from '../trainer-error';
import { endProcess, waitUntilLoaded, watchOutput } from './child-process';
import { LearnerClient } from './learner-client';

/** What a learner is started with. */
export type LearnerSettings = {
  /** Id of the agent; names its files. */
  readonly agentId: string;
  /** Folder of a Hugging Face model, a GGUF file, or a name that transformers resolves. */
  readonly model: string;
  /** null: all weights are trained. */
  readonly lora: { readonly rank: number; readonly alpha: number } | null;
  /** Scores by the untrained weights will be asked for. */
  readonly needsReference: boolean;
  readonly seed: number;
  readonly device: 'auto' | 'cpu' | 'cuda';
  readonly dtype: 'float32' | 'bfloat16';
  /** Processes of its group: GPUs, or 1. */
  readonly processes: number;
  /** Of each process on a processor; null: as many as there are cores. */
  readonly threads: number | null;
  /** CUDA_VISIBLE_DEVICES of its processes; null: as the trainer's. */
  readonly visibleGpus: string | null;
};

export type LearnerDeps = {
  /** Python with torch and transformers. */
  readonly python: string;
  /** Folder that holds the package mars2_learner. */
  readonly program: string;
  /** Folder of the training: states, exports and address files go below it. */
  readonly out: string;
  /** Each line that a learner prints, with its agent's id. */
  readonly onLine: (agentId: string, line: string) => void;
};

export type RunningLearner = {
  readonly agentId: string;
  readonly client: LearnerClient;
  /** Ends the process, by force after some seconds. */
  readonly dispose: () => Promise<void>;
};

const END_MS = 10_000;

const addressSchema = z.object({
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  pid: z.number().int().positive(),
});

const healthSchema = z.object({ status: z.literal('ok') });

/** Starts a learner as a child in this process's group and waits until it answers. Throws TrainerError. */
export async function startLearner(settings: LearnerSettings, deps: LearnerDeps): Promise<RunningLearner> {
  const { agentId, visibleGpus } = settings;
  const folder = join(deps.out, 'learners', agentId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const addressFile = join(folder, 'address.json');
  await rm(addressFile, { force: true });
  const token = randomBytes(24).toString('hex');
  const [command, ...args] = commandOf(settings, deps, folder, addressFile);
  const child = spawn(command as string, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(visibleGpus === null ? {} : { CUDA_VISIBLE_DEVICES: visibleGpus }),
      ...{ PYTHONPATH: deps.program, MARS2_LEARNER_TOKEN: token, HF_HUB_OFFLINE: '1' },
    },
  });
  const output = watchOutput(child, (line) => deps.onLine(agentId, line));
  const address = await loaded(addressFile, agentId, output.ended, child);
  const client = new LearnerClient({ name: agentId, address: { ...address, token }, ended: output.ended });
  const dispose = async (): Promise<void> => {
    client.dispose();
    await endProcess(child, END_MS);
  };
  return { agentId, client, dispose };
}

function commandOf(
  { agentId: _, ...settings }: LearnerSettings,
  { python }: LearnerDeps,
  folder: string,
  addressFile: string,
): readonly string[] {
  const { model, lora, needsReference, seed, device, dtype, processes, threads } = settings;
  const launcher =
    processes === 1
      ? []
      : ['-m', 'torch.distributed.run', '--standalone', '--nproc-per-node', String(processes)];
  return [
    python,
    ...launcher,
    ...['-m', 'mars2_learner', 'serve', '--model', model],
    ...['--state-dir', join(folder, 'states'), '--export-dir', join(folder, 'exports')],
    ...(lora === null ? [] : ['--lora-rank', String(lora.rank), '--lora-alpha', String(lora.alpha)]),
    ...(needsReference ? ['--reference'] : []),
    ...['--seed', String(seed), '--device', device, '--dtype', dtype],
    ...(threads === null ? [] : ['--threads', String(threads)]),
    ...['--parent', String(process.pid), '--address-file', addressFile],
  ];
}

/** Waits until the process has loaded its model; it answers before that, but only to say so. */
async function loaded(
  addressFile: string,
  agentId: string,
  ended: () => string | null,
  child: ChildProcess,
): Promise<{ readonly host: string; readonly port: number }> {
  const address = await waitUntilLoaded(ended, async () => {
    const written = addressSchema.safeParse(await readJson(addressFile));
    return written.success && (await isReady(written.data)) ? written.data : null;
  });
  if (address.ok) return address.value;
  await endProcess(child, END_MS);
  throw new TrainerError({
    code: 'unavailable',
    message: `The learner of ${agentId} did not start: ${address.error}`,
    hint: 'Run `mars2 doctor --learner` on its machine.',
  });
}

async function isReady({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host}:${port}/api/v1/healthz`);
    return healthSchema.safeParse(await answer.json()).success;
  } catch {
    return false; // it has ended, as the caller sees
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null; // not written yet
  }
}
