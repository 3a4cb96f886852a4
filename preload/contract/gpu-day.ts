import { z } from 'zod';

const path = z.string().min(1).max(4_096);
const count = z.number().int().nonnegative();

/** What a GPU day runs, and with what. Paths are on the machine. */
export const gpuDayRequestSchema = z.strictObject({
  machineId: z.string().min(1),
  /** Folder of a small language model in Hugging Face's format. */
  model: path,
  /** Python with torch, transformers and peft; left out: the prepared one. */
  python: path.optional(),
  /** Python of an environment with vLLM; left out: the learner's. */
  vllm: path.optional(),
  /** Python with SGLang; left out: its steps are left out. */
  sglang: path.optional(),
  benchmarkId: z.string().min(1),
  /** Problems of the search by three teams: the first ones of the benchmark. The trainings use the others. */
  problems: z.number().int().min(1).max(200).default(20),
  /** Of the step that trains for long; the others make two or three. */
  updates: z.number().int().min(1).max(200).default(20),
  /** Longest answer, in tokens. */
  maxTokens: z.number().int().min(1).max(32_768).default(2_048),
  /** Answers of one update, a multiple of 4. */
  batch: z.number().int().min(8).max(1_024).multipleOf(4).default(32),
  /** On processors, where the machine has no GPU: shows that the steps work, and measures nothing of a GPU. */
  rehearse: z.boolean().default(false),
});
export type GpuDayRequest = z.output<typeof gpuDayRequestSchema>;

export const gpuDayStepSchema = z.object({
  id: z.enum([
    'learner',
    'restart',
    'reload',
    'adapter',
    'ranks',
    'sglang-restart',
    'sglang-reload',
    'teams',
  ]),
  title: z.string().max(200),
  state: z.enum(['done', 'failed', 'left-out']),
  /** Why it failed or was left out; null: it is done. */
  why: z.string().max(4_000).nullable(),
  seconds: z.number().nonnegative(),
  /**
   * Mean over the updates by the names of curves (docs/training.md); `updates`: how many there were. Of "teams": Pass@1,
   * Pass@1(MCTS) and Pass@N of each team, as shares.
   */
  values: z.record(z.string().max(80), z.number()),
});
export type GpuDayStep = z.infer<typeof gpuDayStepSchema>;

/** The results of a GPU day. It names no host, no user and no folder, so that a lab can send it. */
export const gpuDaySchema = z.object({
  format: z.literal('mars2-gpu-day'),
  version: z.literal(1),
  workbench: z.string().max(60),
  /** ISO dates. */
  startedAt: z.string().max(40),
  endedAt: z.string().max(40),
  device: z.object({
    /** Names of the GPUs; empty: a rehearsal on processors. */
    gpus: z.array(z.string().max(200)).max(64),
    /** MiB of each. */
    memoryMib: z.array(count).max(64),
    driver: z.string().max(100).nullable(),
    cuda: z.string().max(100).nullable(),
  }),
  /** "name==version" of those that matter: torch, transformers, peft, vllm, sglang. */
  packages: z.array(z.string().max(200)).max(20),
  /** The last part of its path, and its size; null: its kind is not known. */
  model: z.object({
    name: z.string().max(200),
    parameters: count.nullable(),
    layers: count.nullable(),
  }),
  settings: z.object({
    dtype: z.enum(['float32', 'bfloat16']),
    batch: z.number().int().positive(),
    maxTokens: z.number().int().positive(),
    benchmark: z.string().max(200),
    problems: z.number().int().positive(),
  }),
  steps: z.array(gpuDayStepSchema).max(20),
});
export type GpuDay = z.infer<typeof gpuDaySchema>;
