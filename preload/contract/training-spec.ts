import { z } from 'zod';
import { jobResourcesSchema, variablesSchema } from './job';
import { learningEvaluationSchema, learningSchema, problemChoiceSchema } from './learning';
import { GRADER_ADDRESS, TOKEN_PATH } from './plans/grader-service';
import { MAX_RESTARTS } from './plans/restarts';
import { WRITER_MEMORY_SHARE } from './plans/writers';
import { samplingSchema } from './sampling';
import { agentSchema } from './team';

/** Of a pocket training; its problems are generated. */
export const trainingEvaluationPlanSchema = z.strictObject({
  split: z.enum(['validation', 'test']).default('test'),
  ...learningEvaluationSchema.shape,
});

/** A pocket policy family's name; main knows which there are. */
const family = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'is no name of a family, such as reader');

const learning = learningSchema.shape;

/** Its fields keep this order: trainings are distinguished by the text of their specs. */
export const pocketTrainingSchema = z.strictObject({
  kind: z.literal('pocket'),
  method: learning.method,
  /** One agent each, in this order. */
  families: z.array(family).min(1).max(4),
  seed: learning.seed,
  updates: learning.updates,
  batch: learning.batch,
  treesPerRound: learning.treesPerRound,
  nodes: learning.nodes,
  /** Different problems of the train split. */
  problems: z.number().int().min(1).max(5_000).default(1_000),
  rate: learning.rate.default(0.03),
  objective: learning.objective,
  refinement: learning.refinement,
  checkpointEvery: learning.checkpointEvery,
  evaluation: trainingEvaluationPlanSchema.default(() => trainingEvaluationPlanSchema.parse({})),
});
export type PocketTraining = z.output<typeof pocketTrainingSchema>;

/** Answers that are trained on are drawn from the model's own distribution: temperature 1, nothing cut. */
export const modelAgentSchema = z.strictObject({
  /** Names its files and curves. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'is not an id: use a-z, 0-9 and dashes, at most 41 characters'),
  /** Folder of a Hugging Face model or a GGUF file on the machine. */
  model: z.string().min(1).max(4_096),
  maxTokens: z.number().int().min(1).max(1_000_000).default(1_024),
  /** `enable_thinking` of the chat template; left out: the template's default. */
  thinking: z.boolean().optional(),
  extraction: agentSchema.shape.extraction.default('last-fence'),
});
export type ModelAgent = z.output<typeof modelAgentSchema>;

/** Problems of a benchmark of the library. `problemIds` null: all that have tests. */
const benchmarkPartSchema = z.strictObject({
  benchmarkId: z.string().min(1).max(120),
  problemIds: z.array(z.string().min(1).max(400)).min(1).max(100_000).nullable().default(null),
});

/** An inference engine that writes the answers of each agent, with weights that its learner publishes to it. */
export const writerSchema = z.strictObject({
  engine: z.enum(['vllm', 'sglang']),
  /** Python on the machine that has the engine; left out: the training's. */
  python: z.string().min(1).max(4_096).optional(),
  /**
   * restart: a new process for each publication; always right, and slow. reload: the process reads the new weights.
   * adapter: a new adapter under a new name.
   */
  publish: z.enum(['restart', 'reload', 'adapter']).default('restart'),
  /** Share of each GPU's memory that the engine takes; its learner is on the same GPUs. */
  memoryShare: z.number().min(0.05).max(0.95).default(WRITER_MEMORY_SHARE),
});
export type Writer = z.output<typeof writerSchema>;

/** Language models, trained by the workbench's own loop with a PyTorch learner for each (docs/training.md). */
export const modelTrainingSchema = z.strictObject({
  kind: z.literal('model'),
  method: learning.method,
  agents: z.array(modelAgentSchema).min(1).max(4),
  /** Low-rank adapters; null: all weights are trained. */
  lora: z
    .strictObject({
      rank: z.number().int().min(1).max(1_024).default(16),
      alpha: z.number().gt(0).max(4_096).default(32),
    })
    .nullable()
    .default(() => ({ rank: 16, alpha: 32 })),
  problems: benchmarkPartSchema.extend({
    /** Left out: trains on all of them. */
    choose: problemChoiceSchema.optional(),
  }),
  seed: learning.seed,
  updates: learning.updates.default(20),
  batch: learning.batch.default(32),
  treesPerRound: learning.treesPerRound.default(8),
  nodes: learning.nodes,
  rate: learning.rate.default(1e-5),
  objective: learning.objective,
  /** What a first step's ratio is taken against: the learner's own scores, or what was reported while writing. */
  oldFrom: z.enum(['recomputed', 'sampled']).default('recomputed'),
  refinement: learning.refinement,
  checkpointEvery: learning.checkpointEvery.default(10),
  evaluation: z
    .strictObject({
      ...learningEvaluationSchema.shape,
      /** null: problems of the training's benchmark that it does not train on, chosen by the seed. */
      on: benchmarkPartSchema.nullable().default(null),
      /** Pass@1 alone also before the first update, for a comparison per problem; left out: where `every` is not 0. */
      before: z.boolean().optional(),
      /** How answers are drawn there; left out: as in training. */
      sampling: samplingSchema.partial().optional(),
    })
    .default(() => ({ problems: 20, nodes: 16, samples: 8, every: 0, on: null })),
  /** Python with torch, transformers and peft on the machine. */
  python: z.string().min(1).max(4_096).default('python3'),
  /** Left out: the learner writes with the weights that it trains; right for small models. */
  writer: writerSchema.optional(),
  device: z.enum(['auto', 'cpu', 'cuda']).default('auto'),
  dtype: z.enum(['float32', 'bfloat16']).default('float32'),
  /** Processes of each learner: GPUs, or 1. */
  processes: z.number().int().min(1).max(64).default(1),
  /** Of a learner on processors; null: all cores, divided among the learners. */
  threads: z.number().int().min(1).max(256).nullable().default(null),
});
export type ModelTraining = z.output<typeof modelTrainingSchema>;

/** A value of a flag of a trainer's command, as in the form. */
export const flagValueSchema = z.union([z.string().max(20_000), z.number(), z.boolean()]);

export const martiAgentSchema = z.strictObject({
  /** Folder of the model on the machine, or its name at the hub. */
  model: z.string().min(1).max(4_096),
  role: z.string().max(60).default('generator'),
  isReasoning: z.boolean().default(false),
});

/** MARTI on Ray (spec: docs/training.md). Paths are on the machine. */
export const martiTrainingSchema = z.strictObject({
  kind: z.literal('marti'),
  /** grpo: one model, no tree; single: RS²; shared: one model in several roles; multi: independent models. */
  preset: z.enum(['grpo', 'single', 'shared', 'multi']),
  /** Folder of the MARTI repository. */
  checkout: z.string().min(1).max(4_096),
  /** Python that has MARTI's packages, e.g. "/opt/envs/marti/bin/python3". */
  python: z.string().min(1).max(4_096).default('python3'),
  agents: z.array(martiAgentSchema).min(1).max(8),
  /** Folder with train and test JSON(L) files. */
  data: z.string().min(1).max(4_096),
  /** Folder for logs, TensorBoard, workflow files and checkpoints; made where it is missing. */
  output: z.string().min(1).max(4_096),
  /** null: the program starts Ray by itself on one node; else the address of a cluster that runs. */
  rayAddress: z.string().max(200).nullable().default(null),
  /** Where they differ from the preset (preload/contract/plans/marti-flags.ts), by flag without dashes. */
  flags: z.record(z.string().regex(/^[a-z0-9_.]{1,60}$/i), flagValueSchema).default({}),
  /** Behind the generated arguments, as for a shell. */
  extraArguments: z.string().max(4_000).default(''),
});
export type MartiTraining = z.output<typeof martiTrainingSchema>;

/** Another trainer by a template of a command. */
export const recipeTrainingSchema = z.strictObject({
  kind: z.literal('recipe'),
  recipeId: z.string().min(1).max(80),
  /** By the recipe's field. */
  values: z.record(z.string(), z.string().max(20_000)).default({}),
  extraArguments: z.string().max(4_000).default(''),
});
export type RecipeTraining = z.output<typeof recipeTrainingSchema>;

const watchedPath = z.string().min(1).max(4_096);

/** A run that others started: only its files are read. What is there was looked up when the watching began. */
export const watchedTrainingSchema = z.strictObject({
  kind: z.literal('watched'),
  /** Absolute, on the machine; null: a Slurm job alone. */
  folder: watchedPath.nullable(),
  /** Of a Slurm job; null: a folder alone. */
  slurmId: z
    .string()
    .regex(/^\d{1,12}(_\d{1,8})?$/)
    .nullable(),
  /** Folder of our own trainer's metrics.jsonl; null: another trainer. */
  metrics: watchedPath.nullable(),
  /** Console logs, oldest first, and how their numbers are written. */
  logs: z.array(watchedPath).max(8),
  logForm: z.enum(['python-dict', 'pairs']),
  /** Names in its files; empty: one policy. */
  agents: z.array(z.string().min(1).max(80)).max(8),
  /** pocket where its files say so, else own. */
  scale: z.enum(['pocket', 'own']),
});
export type WatchedTraining = z.output<typeof watchedTrainingSchema>;

export const trainingSpecSchema = z.discriminatedUnion('kind', [
  pocketTrainingSchema,
  modelTrainingSchema,
  martiTrainingSchema,
  recipeTrainingSchema,
  watchedTrainingSchema,
]);
export type TrainingSpec = z.output<typeof trainingSpecSchema>;

/** A grader service (docs/grading.md) that the training's machine can reach. */
export const graderServiceSchema = z.strictObject({
  /** e.g. "http://127.0.0.1:8765"; without a password, as it is shown and written to disk. */
  address: z.string().max(500).regex(GRADER_ADDRESS, 'is no address such as http://127.0.0.1:8765'),
  /** File with its token on the training's machine; left out: the variable MARS2_GRADER_TOKEN there. */
  tokenFile: z.string().max(4_096).regex(TOKEN_PATH, 'must begin with / or ~/').optional(),
});

/** A user's request: where, with what, and which training. */
export const trainingRequestSchema = z.strictObject({
  name: z.string().min(1).max(120),
  machineId: z.string().min(1),
  spec: trainingSpecSchema,
  /** Runs before the command there, e.g. "source ~/envs/marti/bin/activate". */
  setUp: z.string().max(20_000).default(''),
  /** No secrets: it is written to disk. */
  env: variablesSchema.default({}),
  /** `gpus` 0 lets a MARTI preset say how many it needs. */
  resources: jobResourcesSchema.default(() => jobResourcesSchema.parse({})),
  /**
   * How often it is restarted automatically after an unexpected end, each time only from a newer checkpoint; left out:
   * DEFAULT_RESTARTS.
   */
  restarts: z.number().int().min(0).max(MAX_RESTARTS).optional(),
  /** Grades there; left out: in a sandbox of the training's machine. Of our own trainer only. */
  grader: graderServiceSchema.optional(),
});
export type TrainingRequest = z.output<typeof trainingRequestSchema>;
