/** One node from all sides: program, changes, prompt, answer, tests, details. */
export { type DetailState, type InspectorTab, NodeInspector } from './node-inspector';
