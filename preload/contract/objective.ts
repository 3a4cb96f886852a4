import { z } from 'zod';

/**
 * What a policy is trained towards: the reward of a node, what it is compared with, the loss. Every field is a switch
 * of an ablation. Formulas with their sources: docs/training.md.
 */
export const objectiveSchema = z.strictObject({
  /** Tree-consistent reward shaping (arXiv 2604.14564). Strength 0 switches it off. */
  shaping: z.strictObject({
    /** gamma: how far a node's reward is moved by its lead over its baseline, 0 or more. */
    strength: z.number().min(0).max(10).default(0.5),
    /** lambda: share of the siblings in the baseline, the rest is the parent's; 0 to 1. */
    siblingShare: z.number().min(0).max(1).default(0.5),
    /** The parent's reward enters as already shaped, as in MARTI's code; false: raw, as in the paper's formula. */
    shapedParent: z.boolean().default(false),
  }),
  /**
   * What a node's reward is normalised over. tree: all nodes of its tree; agent: those that its agent wrote there;
   * siblings: the children of its parent; batch: all samples of an update.
   */
  group: z.enum(['tree', 'agent', 'siblings', 'batch']).default('tree'),
  /** Advantage of every sample of a group in which all fail; 0 as in GRPO. A control of ours, see docs/pocket.md. */
  allWrongAdvantage: z.number().min(-10).max(0).default(0),
  /** sequence: GSPO; token: PPO and GRPO. */
  ratio: z.enum(['sequence', 'token']).default('sequence'),
  /**
   * What a sequence ratio is taken against where importance weights are on. rollout: what the engine that wrote the
   * answer reported, as in MARTI; old: the policy before the update. Left out: rollout. The two are the same for pocket
   * policies, which write and learn in one program.
   */
  ratioAgainst: z.enum(['rollout', 'old']).optional(),
  clip: z.strictObject({
    low: z.number().gt(0).max(1).default(0.2),
    high: z.number().gt(0).max(10).default(0.2),
  }),
  /** Truncated importance sampling: the cap C of the weight; null: off. */
  importanceCap: z.number().gt(0).max(100).nullable().default(2),
  kl: z.strictObject({
    estimator: z.enum(['k1', 'k2', 'k3']).default('k3'),
    coefficient: z.number().min(0).max(10).default(0.001),
  }),
  /** Penalty on answers near the limit of tokens; null: none. */
  overlong: z
    .strictObject({
      maximumTokens: z.number().int().positive(),
      bufferTokens: z.number().int().positive(),
      factor: z.number().min(0).max(10).default(1),
    })
    .nullable()
    .default(null),
  /** Keeps only trees whose mean raw reward lies strictly between the two; null: every tree. */
  filter: z
    .strictObject({ low: z.number().min(0).max(1), high: z.number().min(0).max(1) })
    .nullable()
    .default(null),
});
export type Objective = z.output<typeof objectiveSchema>;
