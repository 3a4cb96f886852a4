/**
 * The search, pure. A tree has a node per candidate program (`ROOT`, -1, holds none); a strategy asks trials (an
 * agent writes below a node) and is told their outcomes; the tree runner carries trials out with a generator, a
 * grader, a clock and a recorder that are handed in.
 */
export { AbMctsA, type AbMctsOptions, type Decision } from './ab-mcts-a';
export { type Belief, BetaBelief, GaussianBelief, newBelief } from './beliefs';
export { extractProgram } from './extract-program';
export type { Generate, Generated, GenerateFailure, GenerateRequest, Stop } from './generation';
export { gradeNodes, type NodeGraderOptions, ungradedNodes } from './grade-tree';
export { type ParentProgram, promptFor } from './prompts';
export { type Ask, createSampling, createStrategy, type TreeStrategy, type TrialOutcome } from './strategy';
export { ROOT, SearchTree } from './tree';
export { scoreOf, searchTree, type TreeRunnerEnd, type TreeRunnerOptions } from './tree-runner';
