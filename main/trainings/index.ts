/**
 * training: a job that trains policies, with its record, its curves and its checkpoints. Kind: the pocket trainer, MARTI
 * on Ray, or another trainer by a recipe. A record outlives the app; what a training does is what its job does.
 */
export { TRAINING_PURPOSE } from './launch-trainings';
export type { TrainingService } from './training-api';
export { createTrainingService, type TrainingSurroundings } from './training-service';
