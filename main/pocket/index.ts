/**
 * The pocket world: problems generated from a seed in a small language of list operations, and small policies that
 * write Python programs for them. All code is pure. docs/pocket.md explains what its results can show.
 *
 * operation: a step of the language. program: a pipeline of operations (indices), rendered as Python. family: what a
 * policy can see and what it was pre-trained on. policy: family and weights. checkpoint: a policy as a record. reward
 * model: tells right programs from wrong ones that pass the public tests, as far as the statement lets it.
 */
export { type Adam, adam } from './adam';
export { basePolicyFile, makeBasePolicy, readBasePolicy } from './base-policy';
export { type Checkpoint, checkpointOf, encodeCheckpoint, loadPolicy, parseCheckpoint } from './checkpoint';
export { FAMILIES, type Family, isFamily, STRONG_FAMILIES } from './families';
export { type Encoded, encodePrompt, LONGEST_PROGRAM } from './features';
export { interpret } from './interpret';
export type { Outcome, Value } from './operation-kinds';
export { OPERATIONS, type Program } from './operations';
export {
  addGradient,
  addTraceGradient,
  logProbability,
  type PocketPolicy,
  sampleProgram,
  type Trace,
  traceOf,
  traceProbabilities,
} from './policy';
export { pretrain } from './pretrain';
export {
  POCKET_GENERATOR_VERSION,
  type ProblemOptions,
  pocketProblemSteps,
  pocketProblems,
} from './problems';
export { type ReadPrompt, readPrompt } from './prompt';
export { parseProgram, renderProgram } from './python';
export {
  type ReplySample,
  type ReplyToken,
  replyTo,
  sampledReply,
} from './reply';
export {
  encodeRewardModel,
  loadRewardModel,
  type PocketRewardModel,
  parseRewardModel,
  pocketReward,
  type RewardModelWeights,
  rewardOf,
  UNREADABLE_REWARD,
} from './reward-model';
export { areaUnderCurve, trainRewardModel } from './reward-training';
