/** One study, live. */
export { StudyScreen } from './study-screen';
