/**
 * The metrics, pure: folds of runs. A tree gives series over its first n nodes, a configuration pools the runs of its
 * seeds to one value per problem, and the analysis of a study adds intervals and sentences.
 */
export {
  type AnalysisInput,
  analyseStudy,
  analyseStudyInSteps,
  countedRuns,
  DEFAULT_RESAMPLES,
  LIVE_RESAMPLES,
} from './analysis';
export { BOOTSTRAP_SEED, Bootstrap, type Estimate, quantile } from './bootstrap';
export type { ProblemFacts } from './breakdowns';
export { groupLetters } from './compact-letters';
export type { Prices } from './costs';
export { curvePositions } from './curves';
export {
  areaUnderDistinct,
  distinctAlgorithms,
  effectiveAlgorithms,
  tokenCounts,
} from './diversity/algorithm-measures';
export { clusterSizes, type SameAlgorithm, structureJudge } from './diversity/clusters';
export { diversityCells, type ProblemDiversity } from './diversity/diversity-cells';
export { symmetricEigenvalues } from './diversity/eigenvalues';
export type { ParsePython } from './diversity/python-fragments';
export {
  type DiversityCandidate,
  type TreeDiversity,
  treeDiversity,
  type VectorsOf,
} from './diversity/tree-diversity';
export { vendiScore } from './diversity/vendi';
export type { ExhibitInput } from './exhibit/exhibit-input';
export { fillExhibit, fillExhibitInSteps } from './exhibit/fill-exhibit';
export { heldOutCurves } from './exhibit/series-points';
export { trainingEvaluationView } from './experiment/evaluation-view';
export { experimentDetailsInSteps, type HeldOutProblem } from './experiment/experiment-details';
export { experimentResult, experimentResultInSteps } from './experiment/experiment-result';
export { drawnCurves, experimentLines } from './experiment/learning-lines';
export type { DoneTraining } from './experiment/trained-rows';
export { type SweptTraining, trainingSweep } from './experiment/training-sweep';
export { formatList } from './format';
export { oddsRatio } from './odds-ratio';
export { holm, mcnemarP } from './paired-tests';
export { gPassAtK, passAtK } from './pass-at-k';
export {
  detectableDifference,
  detectableGain,
  detectableOverSeeds,
  normalQuantile,
  problemsFor,
  problemsNeeded,
} from './power';
export { betaQuantile, studentHalfWidth } from './quantiles';
export { isDone, isProblemDone, sampleCounts, treeSeries } from './run-metrics';
export { signFlipP } from './sign-flip';
export { studentTail, tTestP } from './t-test';
export {
  type ComparedConfiguration,
  type ComparedProblem,
  measureComparedSteps,
  type StudyRunView,
} from './teams/compared-configuration';
export { graderNoiseSteps } from './teams/grader-noise';
export { COMPARISON_ID, runComparisonSteps } from './teams/run-comparison';
export { trainingGains } from './training-gains';
export { TwoLevelBootstrap } from './two-level-bootstrap';
