export { type Abilities, abilitiesOf, abilityLines } from './abilities';
export { forwardAddress, portsInLog } from './forwarded-ports';
export { IDLE_BELOW_PERCENT, IDLE_WINDOW_S, idleGpusLabel, idleGpusText } from './idle-gpus-text';
export {
  isPartOfServerOrTraining,
  jobHasEnded,
  jobHasSucceeded,
  stopRequested,
  wasStopped,
} from './job-end';
export { leftOutNotice, leftOutText, logSizeText } from './left-out-text';
export { LOCAL_MACHINE } from './local-machine';
export { logCopyText } from './log-copy-text';
export {
  type AnswerRule,
  isBetterAnswer,
  type Outcome,
  outcomeOf,
  publicVerdictOf,
  selectedNode,
} from './outcome';
export { planChanges, withPlannedConfig } from './planned-run';
export { programKeyOf, type RegradeLookup, regradedEvents, regradedRun } from './regraded-run';
export {
  type CountedConfig,
  foldRun,
  type NodeView,
  type PrivateTests,
  type RunView,
  type TreeView,
  treeKey,
} from './run-view';
export { isUnderWay, studyIsRunning } from './study-is-running';
export {
  hasOtherLimits,
  isLimitsEvent,
  isReopened,
  type LimitsEvent,
  limitReached,
  limitsBefore,
  limitsOf,
  limitsSince,
  sameLimits,
  withLimits,
} from './tree-limits';
