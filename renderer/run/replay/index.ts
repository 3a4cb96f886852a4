/** The search of a tree as it went: what was there at a moment, and nothing later. */
export { type OtherRun, ReplayBar } from './replay-bar';
export type { BestLine } from './scrubber';
export { type AnswerChange, answerAt, answerChanges, treeAt, withoutPrivateVerdicts } from './tree-at';
export { type Replay, useReplay, useReplayKeys } from './use-replay';
