export { type Outcome, outcomeOf, pathTo, selectedNode } from './outcome';
export { foldRun, type NodeView, type RunView, type TreeView, type TrialFailure, treeKey } from './run-view';
