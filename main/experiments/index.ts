/**
 * experiment: rows (a method for some families) times seeds, a training each. member: one of these trainings, as the
 * experiment's record knows it. outcome: what a member measured, kept apart from its training. turn: one pass over all
 * members, in which each is brought forward.
 */
export { createExperimentService, type ExperimentService } from './experiment-service';
