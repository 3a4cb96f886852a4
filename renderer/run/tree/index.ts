/** The search tree of one problem on a canvas, with pan, zoom and keyboard navigation. */
export { AgentMark } from './agent-mark';
export { TreeCanvas } from './tree-canvas';
export { agentName, answerOf, originText } from './tree-label';
