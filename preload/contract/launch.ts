import { z } from 'zod';
import { variablesSchema } from './job';

/** Programs that serve a model over the OpenAI API. */
export const engineSchema = z.enum(['vllm', 'sglang', 'llama-cpp', 'ollama', 'transformers', 'pytorch']);
export type Engine = z.infer<typeof engineSchema>;

/** Where the engine is found on the machine. */
export const environmentSchema = z.discriminatedUnion('kind', [
  /** Whatever the login shell finds. */
  z.strictObject({ kind: z.literal('path') }),
  /** `place` is a folder with bin/activate. */
  z.strictObject({ kind: z.literal('venv'), place: z.string().min(1).max(4_096) }),
  /** A conda environment by name or folder. */
  z.strictObject({ kind: z.literal('conda'), place: z.string().min(1).max(4_096) }),
  /** Names for `module load`, in order. */
  z.strictObject({ kind: z.literal('module'), place: z.string().min(1).max(4_096) }),
]);
export type Environment = z.infer<typeof environmentSchema>;

/** A saved configuration of a model server, which studies start by its id. */
export const serverLaunchSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'is not an id: use a-z, 0-9 and dashes, at most 60 characters'),
  name: z.string().min(1).max(80),
  engine: engineSchema,
  machineId: z.string().min(1),
  environment: environmentSchema.default({ kind: 'path' }),
  /** A folder or file on the machine, or a name at the hub. */
  weights: z.string().min(1).max(4_096),
  /** The name that requests use, and that the server must list. */
  model: z.string().min(1).max(200),
  gpus: z.number().int().min(0).max(64).default(1),
  /** Exactly these (UUIDs); null lets the workbench choose free ones. */
  gpuIds: z.array(z.string().min(1)).nullable().default(null),
  /** Tokens of prompt and answer together; null is the model's own. */
  contextTokens: z.number().int().min(256).max(10_000_000).nullable().default(null),
  /** Share of each GPU's memory that the engine may take, 0.05 to 0.99. */
  memoryShare: z.number().min(0.05).max(0.99).default(0.9),
  /** Appended to the generated arguments, in shell syntax. */
  extraArguments: z.string().max(4_000).default(''),
  /** No secrets: it is written to disk. */
  env: variablesSchema.default({}),
  /**
   * The whole command as the user has edited it; null: the generated one. `{port}` stands for the port; for engines of our
   * own also `{python}` for the environment's Python, and `{learner}` for the folder of our package.
   */
  commandLine: z.string().max(20_000).nullable().default(null),
  /** null: the workbench finds a free one. */
  port: z.number().int().min(1_024).max(65_535).nullable().default(null),
  /** Processes of the same model behind one agent; each on its own GPUs. */
  replicas: z.number().int().min(1).max(64).default(1),
  maxInFlight: z.number().int().min(1).max(4_096).default(64),
});
export type ServerLaunch = z.output<typeof serverLaunchSchema>;

/** Whether the model fits: an estimate from sizes. GiB per GPU. */
export const fitSchema = z.object({
  verdict: z.enum(['fits', 'tight', 'too-big', 'unknown']),
  weightsGib: z.number().nonnegative().nullable(),
  /** Left for the KV cache. */
  cacheGib: z.number().nullable(),
  freeGib: z.number().nonnegative().nullable(),
  /** Tokens that the cache holds, all requests together. */
  cacheTokens: z.number().nonnegative().nullable(),
  /** How the numbers are computed, and what to do where it does not fit. */
  text: z.string(),
});
export type Fit = z.infer<typeof fitSchema>;

export const launchPlanSchema = z.object({
  /** The exact command for the machine, with `{port}` filled in where it is known. */
  commandLine: z.string(),
  gpuIds: z.array(z.string()),
  fit: fitSchema,
  /** What would prevent a start: a missing program, a GPU in use. Empty: nothing. */
  problems: z.array(z.string()),
  /** What is missing and `server.install` can bring there; null: nothing. */
  install: z.enum(['server', 'server-and-model']).nullable().default(null),
});
export type LaunchPlan = z.infer<typeof launchPlanSchema>;

/** One row of the speed test: a number of concurrent requests. */
export const speedRowSchema = z.object({
  concurrency: z.number().int().positive(),
  requests: z.number().int().nonnegative(),
  failures: z.number().int().nonnegative(),
  /** The most frequent reason of the failures; null: none failed. */
  failureReason: z.string().nullable().default(null),
  /** Completion tokens of all requests per second. */
  tokensPerSecond: z.number().nonnegative(),
  /** Milliseconds from request to the first token, median and 95th percentile. */
  firstTokenMs: z.object({ median: z.number(), p95: z.number() }).nullable(),
});
export type SpeedRow = z.infer<typeof speedRowSchema>;
