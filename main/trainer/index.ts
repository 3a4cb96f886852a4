/**
 * The trainer, a separate program: policies learn from the programs that they write, with the real search and the real
 * sandbox. docs/training.md describes its files.
 *
 * Policy: what writes answers and learns (policy.ts); pocket policies do both in this process. Training environment: the problems and
 * the verdicts on them. Learner: an agent of the training, a policy and its updates. Learner group: learners that share
 * trees. Round: grows trees for every group, then updates every learner that has enough samples. Sample: a node, as its
 * learner learns from it.
 */
export { trainPocket } from './pocket/train-pocket';
export { STOPPED_EXIT_CODE } from './trainer';
