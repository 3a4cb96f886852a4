/** One run: its problems, the search tree of one problem, and the details of one node. */
export { RunScreen } from './run-screen';
