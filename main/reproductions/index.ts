/**
 * reproduction: an exhibit of a paper, measured here. Its plan is a graph of steps (`logic/plan`), its record says how far
 * each is, and the conductor brings it forward in turns: trainings, then studies wave by wave, then cells.
 */
export type { ReproductionSurroundings } from './around';
export { createReproductionService, type ReproductionService } from './reproduction-service';
