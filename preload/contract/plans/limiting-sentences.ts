/** Always the first sentence about pocket policies of several families (docs/pocket.md). */
export const COMPLEMENT_SENTENCE =
  'The pocket families were made to complement each other: each lacks operations that another one has. So a lead of several families together is built in, and its size says nothing about language models.';

/** Of docs/pocket.md, "Training", "Measured": the control "GRPO, all-wrong groups count" against Heter-MARS². */
export const CONTROL_SENTENCE =
  "From another experiment, not from this one (docs/pocket.md; Pass@1(MCTS), 100 pocket problems, N = 60, five seeds). A control without collaboration reaches as much as the papers' training: reader and tracer that each learned alone (GRPO in which groups that fail as a whole count too) solve 80.0 % of the problems as a team; trained together in shared trees (Heter-MARS²) they solve 80.2 % (difference 0.2 points, 95 % interval −5.6 to 5.6). One agent alone solves 62.3 % after the control and 54.3 % after Heter-MARS² (mean of both agents).";

export const POCKET_SENTENCES: readonly string[] = [COMPLEMENT_SENTENCE, CONTROL_SENTENCE];

export const ONE_SEED_SENTENCE =
  'One seed per configuration: the intervals cover the choice of problems, and with each problem the chance of its search. The chance of training is not in them: where policies were trained, they hold for these policies, not for the method.';

/** However short a table's text is, these are said beside it. */
export const ALWAYS_SAID: readonly string[] = [...POCKET_SENTENCES, ONE_SEED_SENTENCE];
