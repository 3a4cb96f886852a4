import { z } from 'zod';

/** What came of the problems: who was asked, and how each did. */
export const teamEvaluationSchema = z.object({
  /** Agents that shared the trees; one: alone. */
  agentIds: z.array(z.string()).min(1),
  nodes: z.number().int().positive(),
  problems: z.array(
    z.object({
      problemId: z.string(),
      /** Independent first attempts per agent and how many of them pass the private tests. */
      samples: z.array(z.object({ agentId: z.string(), count: z.number().int(), passed: z.number().int() })),
      /** The chosen node of the tree passes; some node passes; different programs among its nodes. */
      chosenPasses: z.boolean(),
      somePasses: z.boolean(),
      distinctPrograms: z.number().int(),
      /** Sizes of the clusters of correct candidates by algorithm, largest first. */
      algorithms: z.array(z.number().int().positive()),
    }),
  ),
});
export type TeamEvaluation = z.infer<typeof teamEvaluationSchema>;

export const trainingEvaluationSchema = z.object({
  split: z.string(),
  seed: z.number().int(),
  /** Each agent alone, in order, then the team where it has more than one. */
  teams: z.array(teamEvaluationSchema),
});
export type TrainingEvaluation = z.infer<typeof trainingEvaluationSchema>;
