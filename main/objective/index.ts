/**
 * What a policy is trained towards, pure: rewards of a tree's nodes, what they are compared with, and the loss with its
 * slopes. Formulas, their sources and our choices: docs/training.md.
 */
export { groupAdvantages, type RewardedTree, zeroAdvantageShare } from './advantages';
export { AgentBuffers, type BufferState } from './agent-buffers';
export { batchLoss, sequenceLoss } from './loss';
export { overlongPenalty } from './overlong';
export { shapeRewards } from './reward-shaping';
export { learningRate } from './schedule';
export type { LossObjective, Sequence } from './sequence';
export { keepsTree } from './tree-filter';
export { type TreeSignal, treeSignals } from './tree-signal';
