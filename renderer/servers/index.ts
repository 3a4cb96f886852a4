/** Model servers: those that run, the launches they come from, and the form of one. */
export { LaunchFormScreen } from './launch-form';
export { LaunchesScreen } from './launches-screen';
export { ServersScreen } from './servers-screen';
