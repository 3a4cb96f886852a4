/**
 * Training: a job that trains policies, with its record, its curves and its checkpoints. Its kind is the pocket trainer,
 * MARTI on Ray, or another trainer run by a recipe. Its record outlives the app; its state is that of its job.
 */

export { modelShapeOn } from './expect-models';
export { gpuDayPath, readGpuDay } from './gpu-day-file';
export { prepareLearner } from './prepare-learner';
export type { TrainingService } from './training-api';
export { createTrainingService } from './training-service';
