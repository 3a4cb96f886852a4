import type { Analysis } from '../analysis';
import type { Team } from '../team';

/** Always the first sentence about pocket policies of several families (docs/pocket.md). */
export const COMPLEMENT_SENTENCE =
  'The families of pocket policies, e.g. reader and tracer, were made to complement each other: each lacks operations that another one has. So where a team of several leads over one alone, the lead is built in, and its size says nothing about language models.';

/** Whether runs compare pocket policies of several families, so that the sentence must stand beside their numbers. */
export function hasSeveralFamilies(runs: readonly { readonly team: Team }[]): boolean {
  const families = runs.flatMap(({ team }) =>
    team.servers.flatMap((server) => (server.kind === 'pocket' ? [server.family] : [])),
  );
  return new Set(families).size > 1;
}

/** In one line: on the screen, and in the caption of a figure. */
export const COMPLEMENT_SHORT =
  'The families of pocket policies were made to complement each other: where several agents lead over one alone, that is built in';

/** From docs/pocket.md, "Training", "Measured": the control "GRPO, all-wrong groups count" against Heter-MARS². */
export const CONTROL_SENTENCE =
  "In another experiment of ours (docs/pocket.md of the workbench; Pass@1(MCTS), 100 pocket problems, N = 60, five seeds) a team of reader and tracer solves 80.2 % of the problems after Heter-MARS², trained together in shared trees, and 80.0 % after a control without collaboration, GRPO, all-wrong groups count, trained each alone: no significant difference (0.2 points, 95 % interval −5.6 to 5.6, p = 1). An agent alone (mean of both) solves 54.3 % after Heter-MARS² and 62.3 % after the control: no significant difference either (−8.0 points, 95 % interval −13.3 to −2.9, p = 0.074). p: the larger of tests over the problems and over the seeds, with Holm's correction for 28 pairs; intervals are not corrected.";

export const POCKET_SENTENCES: readonly string[] = [COMPLEMENT_SENTENCE, CONTROL_SENTENCE];

/** Each in one line; without the numbers of another study, which would be read as this one's. */
export const POCKET_CHIPS: readonly string[] = [
  COMPLEMENT_SHORT,
  'Not measured here: another study found no significant difference between training together and apart',
];

/** More does not fit into a line beside the details of an exhibit. */
const MAX_CHARACTERS = 100;

/** A sentence that limits others, in one line: its first clause, of a long one what stands before the colon. */
export function limitChip(sentence: string): { readonly kind: 'limit'; readonly text: string } {
  const clause = (sentence.split(/[.;] /)[0] ?? sentence).replace(/\.$/, '');
  const short = clause.length > MAX_CHARACTERS ? (clause.split(': ')[0] ?? clause) : clause;
  return { kind: 'limit', text: POCKET_CHIPS[POCKET_SENTENCES.indexOf(sentence)] ?? short };
}

/** A result that says these limits before all else. */
export function limitedBy<R extends Pick<Analysis, 'sentences' | 'chips'>>(
  limits: readonly string[],
  result: R,
): R {
  return {
    ...result,
    sentences: [...limits, ...result.sentences],
    chips: [...limits.map(limitChip), ...(result.chips ?? [])],
  };
}

export const ONE_SEED_SENTENCE =
  'One seed per configuration: the intervals cover the choice of problems, and with each problem the chance of its search. The chance of training is not in them: where policies were trained, they hold for these policies, not for the method.';

export const SAME_POLICIES_SENTENCE =
  'All seeds have the same policies: they vary the search alone, so the chance of training is neither in the spread (SD) over the seeds nor in the intervals.';

/** What the scale of an exhibit's values limits, where models are small. */
export const SCALE_SENTENCES = {
  pocket: 'Pocket scale: small policies on generated problems; the numbers say nothing about large models.',
  desk: "Desk scale: small language models; the numbers say nothing about the paper's models.",
} as const;

/** Sentences that every table keeps, however short its text is. */
export const REQUIRED_SENTENCES: readonly string[] = [
  ...POCKET_SENTENCES,
  ONE_SEED_SENTENCE,
  SAME_POLICIES_SENTENCE,
];
