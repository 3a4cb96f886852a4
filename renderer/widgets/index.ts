/**
 * Parts that know no subject: they are handed texts, numbers and colours. The charts and the view of code are imported
 * by their own files (./curve-chart, ./code-view), so that the first screen does not wait for their libraries.
 */
export { AgentShapeMark } from './agent-shape';
export { Beside } from './beside';
export { CommandText } from './command-text';
export { ConfirmDialog } from './confirm-dialog';
export { CopyTextButton, copyText } from './copy-text';
export { type Column, DataTable } from './data-table';
export { Disclosure } from './disclosure';
export { basisText, type EstimateCell, type EstimateRow, EstimateTable } from './estimate-table';
export { type ExplainedOption, ExplainedSelect } from './explained-choice';
export { Fact, Facts } from './facts';
export {
  type Filter,
  FilterBar,
  FilteredRows,
  FilterGroups,
  type FilterOption,
  FilterSelect,
  FilterText,
} from './filter-bar';
export {
  Fields,
  FormColumns,
  FormFault,
  FormNote,
  FormRefused,
  FormWarning,
  SubmitByKey,
  showFirstFault,
  VariableRows,
  WideField,
} from './form';
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
} from './format';
export { FoundScreen } from './found-screen';
export { freeNow, GpuSection } from './gpu-section';
export { MachineSelect } from './machine-select';
export { OpenBundleButton } from './open-bundle-button';
export { OrderScreen } from './order-screen';
export { type GridCell, type GridRow, OutcomeGrid, OutcomeLegend } from './outcome-grid';
export { type OutcomeKind, OutcomeMark } from './outcome-mark';
export { PickBox } from './pick-box';
export { type PickTile, PickTiles } from './pick-tiles';
export { type PlaceTab, PlaceTabs } from './place-tabs';
export { FactLine, ProgressHead } from './progress-head';
export { ProgressLine } from './progress-line';
export { ReportMenu } from './report-menu';
export { ScaleTag } from './scale-tag';
export { Screen, Section } from './screen';
export { Select } from './select';
export { SentenceList } from './sentence-list';
export { type Setting, SettingField, SettingsGrid } from './setting-field';
export { SlurmSection } from './slurm-section';
export { Sparkline } from './sparkline';
export { StateMark } from './state-mark';
export { EmptyState, FailedState, Hint, LoadingState } from './states';
export { TaskLine } from './task-line';
export { TeamPick } from './team-pick';
export { TimeAgo } from './time-ago';
export { type Remedy, TroubleNote } from './trouble-note';
export { useNow } from './use-now';
export { usePress } from './use-press';
export { useStable } from './use-stable';
export { readVariables, type VariableRow, variableRows } from './variables';
export { WarningList } from './warning-list';
