/** Shells on machines, and the login prompts of ssh. */
export { LoginPane } from './login-pane';
export { TerminalsScreen } from './terminals-screen';
