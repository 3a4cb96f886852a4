export { ActivityScreen } from './activity-screen';
export { HomeScreen } from './home-screen';
