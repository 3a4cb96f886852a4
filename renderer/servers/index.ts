export { ServersScreen } from './servers-screen';
