/** Orders a training: a draft (pure: *-draft) becomes the order that main is given. */
export { NewTrainingScreen } from './new-training-screen';
