/**
 * The training objective, without effects: rewards of a tree's nodes, advantages, and the loss with its gradient. Formulas,
 * sources and our choices: docs/training.md.
 */
export { groupAdvantages, type RewardedTree, zeroAdvantageShare } from './advantages';
export { AgentBuffers, type BufferState } from './agent-buffers';
export { type BatchLoss, batchLoss, sequenceLoss, totalsOf } from './loss';
export { keepsTree, overlongPenalty } from './penalty-and-filter';
export { shapeRewards } from './reward-shaping';
export { learningRate } from './schedule';
export type { LossObjective, Sequence } from './sequence';
export { type TreeSignal, treeSignals } from './tree-signal';
