export { StudiesScreen } from './studies-screen';
