/** The form for a new training. The *-draft files are pure: a draft becomes the request to main. */
export { NewTrainingScreen } from './new-training-screen';
