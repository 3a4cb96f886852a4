/** Experiments: many trainings side by side, ordered, watched and compared. */
export type { ExperimentDraft } from './experiment-draft';
export { ExperimentScreen } from './experiment-screen';
export { ExperimentsScreen } from './experiments-screen';
export { NewExperimentScreen } from './new-experiment-screen';
