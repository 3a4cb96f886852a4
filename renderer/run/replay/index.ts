/** Replays a search: shows the tree as it was at a moment. */
export { ReplayBar } from './replay-bar';
export type { BestLine } from './scrubber';
export { type AnswerChange, answerAt, answerChanges, treeAt, withoutPrivateVerdicts } from './tree-at';
export { type Replay, useReplay, useReplayKeys } from './use-replay';
