/**
 * The search, pure. A tree has a node per candidate program (`ROOT`, -1, holds none); a strategy asks trials (an
 * agent writes below a node) and is told their outcomes; the tree runner carries trials out with a generator, a
 * grader, a clock and a recorder that are handed in.
 */
export { AbMctsA, type AbMctsOptions, type Step } from './ab-mcts-a';
export { AbMctsM, type AbMctsMOptions } from './ab-mcts-m';
export { type Belief, type BeliefShape, BetaBelief, GaussianBelief, newBelief } from './beliefs';
export { beliefsBehind } from './beliefs-behind';
export { extractProgram, programOf } from './extract-program';
export type { Generate, Generated, GenerateFailure, GenerateRequest, Stop } from './generation';
export { gradeNodes, type NodeGraderOptions, ungradedNodes } from './grade-tree';
export { Mcts, type MctsOptions } from './mcts';
export { MixedModel, type ScoreGroup, SigmaGrid } from './mixed-model';
export { type ParentProgram, promptFor } from './prompts';
export { parsePython } from './python-syntax';
export { guidedScore, type ScoreReward, squashed } from './reward';
export { scoreOf } from './score';
export {
  type Ask,
  createSampling,
  createStrategy,
  restoreStrategy,
  type TreeStrategy,
  type TrialOutcome,
} from './strategy';
export type { StrategyHistory } from './strategy-history';
export { ROOT, SearchTree } from './tree';
export { searchTree, type TreeRunnerEnd, type TreeRunnerOptions } from './tree-runner';
export { type TreeCheck, verifyTree } from './verify-tree';
