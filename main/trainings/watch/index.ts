/**
 * Training watch: reads a training's metrics from its files on its machine as they grow. Row: one value of one quantity.
 * Source: the trainer's own files, TensorBoard's event files, or its console log.
 */
export type { RolloutQuery } from './rollout-index';
export { openTrainingWatch, type TrainingWatch } from './training-watch';
