/**
 * Components without a subject: they get texts, numbers and colours as props. Charts and the code view are imported
 * from their own files (./curve-chart, ./code-view), so that the first screen does not wait for their libraries.
 */
export { AgentShapeMark } from './agent-shape';
export { CheckList } from './check-list';
export { CommandText } from './command-text';
export { ConclusionList } from './conclusion-list';
export { ConfirmDialog } from './confirm-dialog';
export { type ContextAction, useContextMenu } from './context-menu';
export { CopyTextButton, copyAction, copyText } from './copy-text';
export { type Column, DataTable } from './data-table';
export { DetailScreen } from './detail-screen';
export { Dialog, UNDESCRIBED, useReturnedFocus } from './dialog';
export { Disclosure } from './disclosure';
export { ErrorNote } from './error-note';
export { type ExplainedOption, ExplainedSelect } from './explained-choice';
export { Fact, Facts } from './facts';
export {
  FilterBar,
  FilteredRows,
  FilterGroups,
  FilterSelect,
  FilterText,
} from './filter-bar';
export {
  Fields,
  FormColumns,
  FormError,
  FormNote,
  FormRefusal,
  FormWarning,
  SubmitByKey,
  VariableRows,
  WideField,
} from './form';
export { FormScreen } from './form-screen';
export {
  ago,
  bytes,
  clockTime,
  count,
  duration,
  percent,
  percentRange,
  plural,
  pointsDifference,
  roughDuration,
  seedNumbers,
  spreadRange,
} from './format';
export { lazyPart, loadLinkedScreens, PartNotLoadedError } from './lazy-part';
export { MiddleEllipsis } from './middle-ellipsis';
export { MoreMenu } from './more-menu';
export { NavTabs } from './nav-tabs';
export { PickBox } from './pick-box';
export { type PickTile, PickTiles } from './pick-tiles';
export { FactLine, ProgressAnnouncement, ProgressHead } from './progress-head';
export { ProgressLine } from './progress-line';
export { RenameDialog } from './rename-dialog';
export { Screen, Section } from './screen';
export { Select } from './select';
export { SentenceList } from './sentence-list';
export { type Setting, SettingField, SettingsGrid } from './setting-field';
export { SidebarLayout } from './sidebar-layout';
export { Sparkline } from './sparkline';
export { StateMark } from './state-mark';
export { EmptyState, FailedState, Hint, LoadingState } from './states';
export { TaskLine } from './task-line';
export { TimeAgo } from './time-ago';
export { Unbroken } from './unbroken';
export { useNow } from './use-now';
export { usePress } from './use-press';
export { useStableCallback } from './use-stable';
export { ValueLists } from './value-lists';
export { readVariables, type VariableRow, variableRows } from './variables';
export { WarningList } from './warning-list';
export { WideTable } from './wide-table';
