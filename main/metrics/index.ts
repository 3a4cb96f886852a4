/**
 * The metrics, pure: folds of runs. A tree gives series over its first n nodes, a configuration pools the runs of its
 * seeds to one value per problem, and the analysis of a study puts intervals and words to them.
 */
export {
  type AnalysisInput,
  analyseStudy,
  curvePositions,
  DEFAULT_RESAMPLES,
  LIVE_RESAMPLES,
} from './analysis';
export { Bootstrap, type Estimate, quantile } from './bootstrap';
export { passAtK } from './pass-at-k';
export { isDone, isProblemDone, sampleCounts, samplesPart, treeSeries } from './run-metrics';
