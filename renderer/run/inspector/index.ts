/** One node from all sides: program, changes, prompt, answer, tests, details. */
export { NodeInspector } from './node-inspector';
