/**
 * The pocket trainer, a separate program: pocket policies learn from the programs that they write, with the real search
 * and the real sandbox. docs/training.md, "The pocket trainer", describes its files.
 *
 * Learner: an agent of the training, a policy with its initial weights and its optimiser. Learner group: learners that
 * share trees. Round: grows trees for every group, then updates every learner that has enough samples. Sample: a node,
 * as its learner learns from it.
 */
export { STOPPED_EXIT_CODE, trainPocket } from './trainer';
