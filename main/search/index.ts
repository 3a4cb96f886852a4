/**
 * Tree search over candidate programs, without effects. A tree has a node per candidate program (the root, `ROOT` = -1,
 * has none). A strategy (AB-MCTS-A in ab-mcts-a.ts, MCTS in mcts.ts ...; registered in algorithms.ts) chooses the node
 * to expand and the agent by ask and tell; the tree runner runs the trials with a generator, a grader, a clock and a
 * recorder that are passed in.
 */
export { AbMctsA, type AbMctsOptions, type Step } from './ab-mcts-a';
export { AbMctsM } from './ab-mcts-m';
export { cutAtStop, extractProgram, programOf } from './extract-program';
export { fitPrompt, isEstimatedToFit } from './fit-prompt';
export type { Generate, Generated, GenerationFailure, GenerationRequest, Stop } from './generation';
export { gradeNodes, ungradedNodes } from './grade-tree';
export { Mcts } from './mcts';
export { MixedModel, type ScoreGroup, SigmaGrid } from './mixed-model';
export { BetaPosterior, GaussianPosterior, newPosterior, type PosteriorSummary } from './posteriors';
export { posteriorsAtNode } from './posteriors-at-node';
export { isPlainText, type ParentProgram, promptFor } from './prompts';
export { parsePython } from './python-syntax';
export { guidedScore, type RewardFunction, scoreOf, squashed } from './score';
export {
  type Ask,
  createSampling,
  createStrategy,
  restoreStrategy,
  type TreeStrategy,
} from './strategy';
export { ROOT, SearchTree } from './tree';
export { searchTree, type TreeRunnerEnd, type TreeRunnerOptions } from './tree-runner';
export { type TreeCheck, verifyTree } from './verify-tree';
