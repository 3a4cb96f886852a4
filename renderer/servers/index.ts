/** Model servers, saved launches, and the form of a launch. */
export { LaunchFormScreen } from './launch-form';
export { LaunchesScreen } from './launches-screen';
export { ServersScreen } from './servers-screen';
