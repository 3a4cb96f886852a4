/** Parts about trainings that several screens show: a small chart of one. */
export { sparkCurves, TrainingSpark } from './spark';
