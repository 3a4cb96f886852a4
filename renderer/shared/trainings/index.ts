/** What several screens show of trainings: how one went, in small. */
export { sparkCurves, TrainingSpark } from './spark';
