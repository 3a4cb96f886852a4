/**
 * Plans are long work of many steps that survives restarts. Experiment: rows (a method for some families) times seeds,
 * one training each. Reproduction: an exhibit of a paper, measured here. Its plan is a graph of steps: trainings, then
 * searches in batches (the servers of a batch run at the same time), then cells. Both kinds share one core that stores,
 * shows and advances plans: `logic/plan-record` (the state of each step), `plan-store`, `plan-service`,
 * `training-steps`. GPU day: trainings and a search that prove a machine; no plan, it is followed to its end.
 */
export { createExperimentService, type ExperimentService } from './experiments/experiment-service';
export { createGpuDays, type GpuDays } from './gpu-day/gpu-day-service';
export { createReproductionService, type ReproductionService } from './reproductions/reproduction-service';
