/** The window's stores, and the only way to main. Screens read through hooks and act through commands. */

export { isPartOfServerOrTraining, jobHasEnded, wasStopped } from '../../preload/contract/folds/job-end';
export { LOCAL_MACHINE } from '../../preload/contract/folds/local-machine';
export * from './activity';
export * from './chart-menu';
export { COMPARE_VIEWS, type CompareRoute, type CompareView } from './compare-routes';
export * from './exhibit-hooks';
export {
  EXHIBIT_PANELS,
  type ExhibitPanel,
  type ExhibitRoute,
  type ExhibitScale,
} from './exhibit-routes';
export * from './exports';
export type { DraftKey } from './form-drafts';
export * from './hooks';
export {
  type JobLogsComponent,
  type LogPaneComponent,
  type LogSource,
  useJobLog,
  useMachineFile,
  useServerLog,
} from './job-logs';
export { lastComparison, rememberComparison } from './last-comparison';
export { LOADING, type Loadable, mapLoadable, readyValue } from './loadable';
export type { SshHost } from './machine-actions';
export type { DoctorReport } from './machine-doctor';
export * from './machine-hooks';
export type { Notice } from './notices';
export * from './outcome-rows';
export { listedPairs } from './pair-list';
export * from './problem-list';
export { folderKey, problemKey } from './resource-keys';
export type { NodePosteriors } from './resources';
export * from './results';
export { parsePath, pathOf, type Route, type RunTab, runRoute, type StudyCheck } from './routes';
export * from './row-actions';
export { useStoredFlag, useStoredState } from './stored-state';
export { type ExportKind, lastCreatedStudy } from './study-commands';
export * from './study-filters';
export type { TerminalSink } from './terminal-reader';
export type { AttachedTerminal, TerminalSize } from './terminals';
export * from './training-hooks';
export { MAX_CURVE_POINTS } from './training-resources';
export { TRAINING_TABS, type Trainer, type TrainingTab } from './training-routes';
export type { TrainingAction } from './trainings';
export { type CurveInput, useCurves } from './use-curves';
export { useDebouncedQuery } from './use-debounced-query';
export { useFormDraft } from './use-form-draft';
export { useHues, useLineHues } from './use-hues';
export { createWorkbenchState, type WorkbenchState } from './workbench-state';
