import { z } from 'zod';
import type { Problem, Refusal } from '../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../base';
import { decodeWeights } from './base64';
import { parseProgram } from './python';
import { type Feature, REWARD_FEATURES, rewardFeatures } from './reward-features';
import { readStatement } from './statement';

/** Raise when features, operations or words change: old weights would have another meaning. */
export const REWARD_MODEL_VERSION = 1;

const share01 = z.number().min(0).max(1);

const rewardModelSchema = z.strictObject({
  kind: z.literal('pocket-reward-model'),
  version: z.number().int(),
  /** Seed of the problems and candidates that it was trained on. */
  seed: z.number().int().nonnegative(),
  features: z.number().int().positive(),
  trained: z.strictObject({
    /** Problems of the train split: no evaluated problem has the same semantics as one of these. */
    problems: z.number().int().positive(),
    candidates: z.number().int().positive(),
  }),
  /** Quality on further problems of the train split, which were not used for training. */
  heldOut: z.strictObject({
    problems: z.number().int().positive(),
    candidates: z.number().int().positive(),
    /** Share of candidates on the right side of 0. */
    accuracy: share01,
    /** Area under the ROC curve: share of (right, wrong) pairs of candidates, of any problems, in the right order. */
    auc: share01,
    /**
     * The AUC among those candidates of a problem that pass all public tests; mean over problems with right and wrong
     * ones.
     */
    lucky: z.strictObject({ problems: z.number().int().nonnegative(), auc: share01 }),
  }),
  /** Base64 of little-endian 32-bit floats, one for each feature. */
  weights: z.string(),
});
/** A trained reward model as a record. */
export type RewardModelWeights = z.infer<typeof rewardModelSchema>;

/** A reward model that can score: the log-odds that a program is right. */
export type PocketRewardModel = { readonly seed: number; readonly weights: Float64Array };

function refuse(message: string): Result<never, Refusal> {
  return failed({
    code: 'bad-input',
    message,
    hint: 'Train the reward model again, which takes some seconds.',
  });
}

/** The model of a record; refused if it does not fit this version. */
export function loadRewardModel(record: RewardModelWeights): Result<PocketRewardModel, Refusal> {
  if (record.version !== REWARD_MODEL_VERSION) {
    return refuse(
      `The reward model has version ${record.version}; this workbench reads version ${REWARD_MODEL_VERSION}.`,
    );
  }
  const weights = decodeWeights(record.weights, REWARD_FEATURES);
  if (record.features !== REWARD_FEATURES || weights === null) {
    return refuse(`The reward model's weights do not fit: ${REWARD_FEATURES} numbers are needed.`);
  }
  if (!weights.every(Number.isFinite))
    return refuse('The reward model holds a weight that is not a finite number.');
  return ok({ seed: record.seed, weights });
}

/** One line of JSON; equal records give equal text. */
export function encodeRewardModel(record: RewardModelWeights): string {
  return `${JSON.stringify(rewardModelSchema.parse(record))}\n`;
}

/** Reads what `encodeRewardModel` wrote. The weights are checked by `loadRewardModel`. */
export function parseRewardModel(text: string): Result<RewardModelWeights, Refusal> {
  const json = parsedJson(text);
  if (json === undefined) return refuse('The reward model is not JSON; the file may have been cut off.');
  const parsed = rewardModelSchema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
  return refuse(`The file is no reward model of the pocket world: ${problem}.`);
}

/** The weighted sum of the features. */
export function weightedSum(weights: Float64Array, features: readonly Feature[]): number {
  let sum = 0;
  for (const { index, value } of features) sum += (weights[index] ?? 0) * value;
  return sum;
}

/** The reward of a text that is not a pocket program, or not in the problem's style: log-odds of about 1e-9. */
export const UNREADABLE_REWARD = -20;

/**
 * The log-odds that the program is right, from statement and program only. Fails if the statement is not that of a
 * pocket problem.
 */
export function rewardOf(
  model: PocketRewardModel,
  { id, statement }: Pick<Problem, 'id' | 'statement'>,
  program: string,
): Result<number, { readonly message: string }> {
  const read = readStatement(statement);
  if (read === null) {
    return failed({
      message: `The pocket reward model cannot read the problem "${id}": it is no pocket problem.`,
    });
  }
  const parsed = parseProgram(program);
  if (parsed === null || parsed.style !== read.style) return ok(UNREADABLE_REWARD);
  return ok(weightedSum(model.weights, rewardFeatures(read, parsed.program)));
}

/** The model as a `ScoreReward` of main/search. It computes at once, so it ignores requests to stop. */
export function pocketReward(
  model: PocketRewardModel,
): (
  problem: Pick<Problem, 'id' | 'statement'>,
  program: string,
) => Promise<Result<number, { readonly message: string }>> {
  return (problem, program) => Promise.resolve(rewardOf(model, problem, program));
}
