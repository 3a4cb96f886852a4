/**
 * Parts that know no subject: they are handed texts, numbers and colours. The chart is imported by its own file
 * (./curve-chart), so that the first screen does not wait for the chart library.
 */
export { AgentShapeMark } from './agent-shape';
export { ConfirmDialog } from './confirm-dialog';
export { type Column, DataTable } from './data-table';
export { basisText, type EstimateCell, type EstimateRow, EstimateTable } from './estimate-table';
export {
  ago,
  bytes,
  count,
  duration,
  percent,
  percentRange,
  plural,
  pointsDifference,
  roughDuration,
} from './format';
export { type GridCell, type GridRow, OutcomeGrid, OutcomeLegend } from './outcome-grid';
export { type OutcomeKind, OutcomeMark } from './outcome-mark';
export { ProgressLine } from './progress-line';
export { ScaleTag } from './scale-tag';
export { Screen, Section } from './screen';
export { StateMark } from './state-mark';
export { EmptyState, FailedState, Hint, LoadingState } from './states';
export { TimeAgo } from './time-ago';
export { useNow } from './use-now';
export { usePress } from './use-press';
