/** What the window knows, and the only way to main. Screens read it through hooks and act through its commands. */
export { jobHasEnded, wasStopped } from '../../preload/contract/folds/job-end';
export { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
export { addressOf, type Place, parseAddress, type RunTab, runPlace, type StudyCheck } from './address';
export { assertNever } from './assert-never';
export * from './at-work';
export { COMPARE_VIEWS, type ComparePlace, type CompareView } from './compare-address';
export * from './curve-keys';
export {
  EXHIBIT_PANELS,
  type ExhibitPanel,
  type ExhibitPlace,
  type ExhibitScale,
} from './exhibit-address';
export * from './exhibit-hooks';
export * from './exhibit-words';
export type { ExperimentDeed, ExperimentExport } from './experiments';
export * from './gpu-words';
export * from './hooks';
export {
  type JobLogsComponent,
  type LogPaneComponent,
  type LogSource,
  useJobLog,
  useServerLog,
} from './job-logs';
export * from './job-words';
export type { JobDeed } from './jobs';
export { LOADING, type Loadable, mapLoadable, readyValue } from './loadable';
export type { DoctorReport, HostOffer } from './machine-deeds';
export * from './machine-hooks';
export { machineLine } from './machine-line';
export * from './machine-words';
export type { Notice } from './notices';
export * from './outcome-rows';
export { listedPairs } from './pair-list';
export * from './problem-list';
export { useRemembered, useRememberedSwitch } from './remembered';
export * from './reports';
export * from './results';
export * from './search-words';
export type { ServerDeed } from './servers';
export { useSlurmChoices } from './slurm-choices';
export type { ExportKind } from './study-commands';
export * from './study-filters';
export * from './study-words';
export { type Task, type TaskKind, taskShare, taskWords } from './tasks';
export type { TerminalSink } from './terminal-reader';
export type { FollowedTerminal, TerminalSize } from './terminals';
export { TRAINING_TABS, type Trainer, type TrainingTab } from './training-address';
export * from './training-hooks';
export { MOST_CURVE_POINTS } from './training-resources';
export * from './training-words';
export type { TrainingDeed } from './trainings';
export * from './trouble-words';
export { useAnswerOf } from './use-answer-of';
export { type Curved, useCurves } from './use-curves';
export { useHues } from './use-hues';
export { createWorkbenchState, type NodeBeliefs, type WorkbenchState } from './workbench-state';
