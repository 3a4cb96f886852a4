/** One run: its problems, the tree of one, and one node from all sides. */
export { RunScreen } from './run-screen';
