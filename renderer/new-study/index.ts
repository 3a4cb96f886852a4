/** Composes a study: a draft (pure: draft, check, warnings) becomes the order that main is given. */

export { NewStudyScreen } from './new-study-screen';
