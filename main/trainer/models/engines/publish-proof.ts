/** Log-probabilities of the same tokens, before and after new weights were published. */
export type ProofScores = {
  readonly engine: { readonly before: ArrayLike<number>; readonly after: ArrayLike<number> };
  readonly learner: { readonly before: ArrayLike<number>; readonly after: ArrayLike<number> };
};

/**
 * proven: the engine changed as the learner did. not provable: the learner's change is too small beside the noise. lost:
 * the engine did not change, or by something else. other weights: it answers by weights that the learner does not have.
 */
export type PublishProof = {
  readonly outcome: 'proven' | 'not provable' | 'lost' | 'other weights';
  /** The engine's change along the learner's; 1 where both changed alike. null: the learner did not change. */
  readonly slope: number | null;
  /** Standard error of the slope. */
  readonly error: number;
  /** Mean distance between engine and learner after, in nats a token. */
  readonly gap: number;
};

/** A slope within these is that of the same change. */
const SAME_CHANGE = [0.5, 1.5] as const;
/** A slope is judged where it is known this well: half the way from "lost" (0) to the lower bound is two errors. */
const LARGEST_ERROR = 0.125;
/** The gap may grow by this factor with an update; beyond it, and beyond the least, other weights answer. */
const GAP_FACTOR = 5;
/** In nats a token: what rounding in bfloat16 makes at most (TRL and verl report 0.01 to 0.02). */
const MIN_GAP = 0.1;

/**
 * Whether an engine answers with the weights that were published to it, from what both say of the same tokens. A plain
 * comparison with a tolerance sees nothing after an update at a rate of 1e-6, which moves some 4 % of the weights in
 * bfloat16; so the engine's change is regressed, through the origin, on the learner's, over all tokens:
 * slope = sum(e l) / sum(l^2), error = sqrt(sum((e - slope l)^2) / (n - 1) / sum(l^2)).
 * Arrays have one finite entry per token.
 */
export function publishProof({ engine, learner }: ProofScores): PublishProof {
  const tokens = engine.after.length;
  let [cross, squares, gapBefore, gapAfter] = [0, 0, 0, 0];
  const change = (of: ProofScores['engine'], t: number) => (of.after[t] as number) - (of.before[t] as number);
  for (let t = 0; t < tokens; t++) {
    const l = change(learner, t);
    cross += change(engine, t) * l;
    squares += l * l;
    gapBefore += Math.abs((engine.before[t] as number) - (learner.before[t] as number));
    gapAfter += Math.abs((engine.after[t] as number) - (learner.after[t] as number));
  }
  const gap = tokens === 0 ? 0 : gapAfter / tokens;
  const isFar = gap > Math.max(MIN_GAP, (GAP_FACTOR * gapBefore) / Math.max(1, tokens));
  if (squares === 0 || tokens < 2) {
    return { outcome: isFar ? 'other weights' : 'not provable', slope: null, error: 0, gap };
  }
  const slope = cross / squares;
  let rest = 0;
  for (let t = 0; t < tokens; t++) rest += (change(engine, t) - slope * change(learner, t)) ** 2;
  const error = Math.sqrt(rest / (tokens - 1) / squares);
  return { outcome: isFar ? 'other weights' : outcomeOf(slope, error), slope, error, gap };
}

function outcomeOf(slope: number, error: number): PublishProof['outcome'] {
  if (error > LARGEST_ERROR) return 'not provable';
  return slope >= SAME_CHANGE[0] && slope <= SAME_CHANGE[1] ? 'proven' : 'lost';
}

/** What an outcome that stops a training means, and what usually causes it. */
export function proofFailure({ outcome, slope, gap }: PublishProof): string | null {
  switch (outcome) {
    case 'proven':
    case 'not provable':
      return null;
    case 'lost':
      return `still answers with other weights than those that were published: its log-probabilities moved by ${(slope ?? 0).toFixed(2)} of what the learner’s did (the reload was lost, or another adapter answers)`;
    case 'other weights':
      return `answers with weights that the learner does not have: they are ${gap.toFixed(3)} nats a token apart (damaged weights, or those of another agent)`;
    default:
      return outcome satisfies never;
  }
}
