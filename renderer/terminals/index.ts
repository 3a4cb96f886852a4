/** Shells on machines, and what ssh asks before a machine is connected. */
export { LoginPane } from './login-pane';
export { TerminalsScreen } from './terminals-screen';
