import { z } from 'zod';

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
    /** Milliseconds that every answer is held back, to play a slow model. */
    latencyMs: z.number().nonnegative(),
    maxInFlight: z.number().int().positive(),
  }),
  z.object({
    kind: z.literal('recorded'),
    id: z.string().min(1),
    model: z.string().min(1),
    recordingId: z.string().min(1),
    latencyMs: z.number().nonnegative(),
    maxInFlight: z.number().int().positive(),
  }),
  z.object({
    kind: z.literal('url'),
    id: z.string().min(1),
    model: z.string().min(1),
    /** Of an OpenAI-compatible API, e.g. "http://127.0.0.1:8000/v1". */
    baseUrl: z.url(),
    maxInFlight: z.number().int().positive(),
  }),
]);
export type ServerSpec = z.infer<typeof serverSpecSchema>;

export const samplingSchema = z.object({
  temperature: z.number().min(0).max(10),
  topP: z.number().gt(0).max(1),
  maxTokens: z.number().int().positive(),
});

export const agentSchema = z.object({
  /** Unique within the team; ties between agents go to the earlier one. */
  id: z.string().min(1),
  name: z.string().min(1),
  /** Which of the run's servers answers for it. */
  serverId: z.string().min(1),
  role: z.object({ name: z.string(), systemPrompt: z.string() }).nullable(),
  sampling: samplingSchema,
  /** last-fence: LiveCodeBench's rule for chat models; whole: the answer is the program (recorded samples). */
  extraction: z.enum(['last-fence', 'whole']),
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
