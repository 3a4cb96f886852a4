/** The search of a tree as it went: what was there at a moment, and nothing later. */
export { type OtherRun, ReplayBar } from './replay-bar';
export type { BestLine } from './scrubber';
export { type AnswerChange, answerAt, answerChanges, treeAt, unjudged } from './tree-at';
export { type Replay, useReplay } from './use-replay';
export { useReplayKeys } from './use-replay-keys';
