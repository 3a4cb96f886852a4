/** One study: live, and compared. */
export { CompareScreen } from './compare-screen';
export { StudyScreen } from './study-screen';
