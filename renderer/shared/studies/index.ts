/** What several screens show of studies and runs: outcome grids, rates with intervals, the scale, teams. */
export { basisText, type EstimateCell, type EstimateRow, EstimateTable } from './estimate-table';
export { HeadlineCurve, headlineColor, headlineText } from './headline';
export { MethodNotes } from './method-notes';
export { OutcomeGrid } from './outcome-grid';
export { OutcomeLegend, OutcomeMark } from './outcome-mark';
export { type PlacedAgent, placedAgents } from './placed-agents';
export { RenameStudy } from './rename-study';
export { BenchmarkTag, noteWithScale, ScaleTag } from './scale-tag';
export { TeamPicker } from './team-pick';
