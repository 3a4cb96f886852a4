import { z } from 'zod';
import { promptFormatSchema } from './prompt-format';
import { samplingSchema } from './sampling';

/** What a run needs to reach one model; `id` is unique within its run. */
export const serverSpecSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pocket'),
    id: z.string().min(1),
    model: z.string().min(1),
    /** Family whose base checkpoint is served, e.g. "reader". */
    family: z.string().min(1),
    /** Seed of the base checkpoint's pre-training. */
    checkpointSeed: z.number().int().nonnegative(),
    /** A trained policy instead of the base one; left out: the base. */
    trained: z.object({ trainingId: z.string().min(1), checkpointId: z.string().min(1) }).optional(),
    /** Milliseconds that every answer is held back, to play a slow model. */
    latencyMs: z.number().nonnegative(),
    maxInFlight: z.number().int().positive(),
    /** Where it runs; left out: on this computer. */
    machineId: z.string().min(1).optional(),
  }),
  z.object({
    kind: z.literal('recorded'),
    id: z.string().min(1),
    model: z.string().min(1),
    recordingId: z.string().min(1),
    latencyMs: z.number().nonnegative(),
    maxInFlight: z.number().int().positive(),
    machineId: z.string().min(1).optional(),
  }),
  z.object({
    kind: z.literal('url'),
    id: z.string().min(1),
    model: z.string().min(1),
    /** Of an OpenAI-compatible API, e.g. "http://127.0.0.1:8000/v1". */
    baseUrl: z.url(),
    maxInFlight: z.number().int().positive(),
    /** Name of the key in the key store that it wants; left out: none. */
    secret: z.string().min(1).optional(),
    /** The machine whose network the URL is of, reached through its connection; left out: this computer's. */
    machineId: z.string().min(1).optional(),
  }),
  /** A server of the user's own, started where its launch says. */
  z.object({
    kind: z.literal('launch'),
    id: z.string().min(1),
    model: z.string().min(1),
    launchId: z.string().min(1),
    /**
     * The named small model that the launch had when the study was made, with its quantisation, e.g.
     * "SmolLM2-135M-Instruct Q4_1"; left out: none, or a study of an earlier version.
     */
    deskModel: z.string().min(1).max(120).optional(),
    maxInFlight: z.number().int().positive(),
  }),
]);
export type ServerSpec = z.infer<typeof serverSpecSchema>;
/** Served by the workbench's own program, from a checkpoint or a recording. */
export type OwnServerSpec = Extract<ServerSpec, { kind: 'pocket' | 'recorded' }>;

export const agentSchema = z.object({
  /** Unique within the team; ties between agents go to the earlier one. */
  id: z.string().min(1),
  name: z.string().min(1),
  /** Which of the run's servers answers for it. */
  serverId: z.string().min(1),
  role: z.object({ name: z.string(), systemPrompt: z.string() }).nullable(),
  sampling: samplingSchema,
  /**
   * last-fence: LiveCodeBench's rule for chat models; python-fence: the last fence that holds Python (MARTI's rule);
   * completion: the answer continues from the starter code (base models); whole: it is the program (recorded samples).
   */
  extraction: z.enum(['last-fence', 'python-fence', 'completion', 'whole']),
  /** How it is asked; left out: by the workbench's own format. */
  promptFormat: promptFormatSchema.optional(),
  /** Most that this agent may write in one tree; null or left out: no limit of its own. */
  budget: z
    .object({
      nodes: z.number().int().positive().nullable(),
      /** Prompt and completion tokens together. */
      tokens: z.number().int().positive().nullable(),
    })
    .optional(),
});
export type Agent = z.infer<typeof agentSchema>;

export const teamKindSchema = z.enum(['single', 'homogeneous', 'heterogeneous']);
export type TeamKind = z.infer<typeof teamKindSchema>;

export const teamSchema = z.object({
  kind: teamKindSchema,
  servers: z.array(serverSpecSchema).min(1),
  agents: z.array(agentSchema).min(1),
});
export type Team = z.infer<typeof teamSchema>;
