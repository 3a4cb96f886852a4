/**
 * The pocket trainer, a program of its own: pocket policies really learn from the programs that they write, in rounds
 * of the real search with the real sandbox. docs/training.md, "The pocket trainer", tells what its files say.
 *
 * learner: an agent of the training, a policy with its weights of before and its optimiser. lane: learners that share
 * trees. round: trees of every lane, then the updates of every learner that has enough samples. sample: a node as its
 * learner learns from it.
 */
export { STOPPED_EXIT_CODE, trainPocket } from './trainer';
