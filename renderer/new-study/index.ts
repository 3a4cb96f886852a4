/** The form for a new study. study-draft, check-study and warnings are pure: a draft becomes the request to main. */

export { NewStudyScreen } from './new-study-screen';
