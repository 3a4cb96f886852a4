/** The inspector of a node: program, changes, tests, decisions, prompt, answer, details. */
export { type DetailState, type InspectorTab, NodeInspector } from './node-inspector';
