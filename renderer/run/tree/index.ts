/** The search tree of one problem: a picture to pan, zoom and walk. */
export { AgentMark } from './agent-mark';
export { answerOf } from './tree-answer';
export { TreeCanvas } from './tree-canvas';
export { agentName, originWords, publicWords, verdictWords } from './tree-label';
