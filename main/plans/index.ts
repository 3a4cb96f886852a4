/**
 * Plans are long work of many steps that survives restarts. experiment: rows (a method for some families) times seeds, a
 * training each. reproduction: an exhibit of a paper, measured here; its plan is a graph of steps: trainings, then
 * searches in batches whose servers are up together, then cells. One core keeps, shows and brings both forward:
 * `logic/plan-record` (what is noted of each step), `plan-store`, `plan-service`, `training-steps`.
 */
export { createExperimentService, type ExperimentService } from './experiments/experiment-service';
export type { ReproductionDeps } from './reproductions/deps';
export { createReproductionService, type ReproductionService } from './reproductions/reproduction-service';
