/** The search tree of one problem: a picture to pan, zoom and walk. */
export { AgentMark } from './agent-mark';
export { TreeCanvas } from './tree-canvas';
export { agentName, answerOf, originWords, publicWords, verdictWords } from './tree-label';
