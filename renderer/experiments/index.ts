/** Experiments: create, watch and compare many trainings. */
export { ExperimentScreen } from './experiment-screen';
export { ExperimentsScreen } from './experiments-screen';
export { NewExperimentScreen } from './new-experiment-screen';
