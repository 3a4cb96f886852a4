/** Parts about studies and runs that several screens show: outcome grids, rates with intervals, the scale, teams. */
export { agentPositions, type PlacedAgent, placedAgents } from './agent-positions';
export { basisText, type EstimateCell, type EstimateRow, EstimateTable } from './estimate-table';
export { HeadlineCurve, headlineColor, headlineText } from './headline';
export { MethodNotes } from './method-notes';
export { OutcomeGrid } from './outcome-grid';
export { OutcomeLegend, OutcomeMark } from './outcome-mark';
export { RenameStudy } from './rename-study';
export { BenchmarkTag, ScaleTag } from './scale-tag';
export { TeamPicker } from './team-pick';
