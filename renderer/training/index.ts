/** Trainings: the list, and one training with its curves, checkpoints, rollouts, results and log. */
export { TrainingScreen } from './training-screen';
export { TrainingsScreen } from './trainings-screen';
