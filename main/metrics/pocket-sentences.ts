/** Always the first sentence about pocket policies of several families (docs/pocket.md). */
export const COMPLEMENT_SENTENCE =
  'The pocket families were made to complement each other: each lacks operations that another one has. So a lead of several families together is built in, and its size says nothing about language models.';

/** Of docs/pocket.md, "Training", "Measured": the control "GRPO, all-wrong groups count" against Heter-MARS². */
export const CONTROL_SENTENCE =
  'A control without collaboration reaches as much. Over five seeds, reader and tracer that each learned alone (GRPO in which groups that fail as a whole count too) solve 80.0 % of the problems as a team; trained together by Heter-MARS² they solve 80.2 % (difference 0.2 percentage points, 95 % interval −5.6 to 5.6). Each alone they solve 62.3 % and 54.3 % (Pass@1(MCTS), N = 60; docs/pocket.md).';

export const POCKET_SENTENCES: readonly string[] = [COMPLEMENT_SENTENCE, CONTROL_SENTENCE];

/** Each in one line. */
export const POCKET_CHIPS: readonly string[] = [
  'The pocket families were made to complement each other: a lead of several is built in',
  'A control without collaboration reaches as much: 80.0 % against 80.2 %',
];
