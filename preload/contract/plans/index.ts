/**
 * Presets for teams, searches, trainings, launches and experiments, and what can be computed from a plan before it runs.
 * Values only, no schemas, so that the window can use them as main and the terminal do.
 */

export { agentPosition, agentPositions } from './agent-positions';
export { evaluationSampling, trainingSampling } from './agent-sampling';
export { answerText, tieRuleText } from './answer-rule';
export { assignedText, holdsGpus, withAssignedGpus } from './assigned-gpus';
export { BENCHMARK_FORMATS, PUBLISHED_FORMATS, type PublishedFormat } from './benchmark-formats';
export { candidateCount } from './candidates';
export { capitalised } from './capitalised';
export { cellKey } from './cell-key';
export {
  type CheckpointMember,
  checkpointLaunchNames,
  checkpointMember,
  pocketCheckpointServer,
} from './checkpoint-member';
export { chosenProblems } from './chosen-problems';
export { loginAskedText } from './connection-text';
export { CURVE_COLUMNS, curveRows } from './curve-rows';
export { hasDamage, type JournalDamage } from './damaged-studies';
export { DESK_MODELS, deskModelOf, serverDeskModel, untrainedOf } from './desk-models';
export { DIAGNOSTICS_PARTS, diagnosticsText, type ShownPart } from './diagnostics-text';
export {
  ALIKE_NOTE,
  allAgree,
  FEW_SEEDS_NOTE,
  firstAloneNote,
  INTERVAL_AND_P,
  MAX_ALL_DETAIL_PAIRS,
  ODDS_NOTE,
  SIDE_BY_SIDE_NOTE,
} from './difference-notes';
export {
  cellsOfPaper,
  enteredPlaceText,
  enteredProblem,
  enteredSource,
  exhibitOfReproduction,
  hasEntered,
  isEntered,
  isSecondHand,
  placeInExhibit,
  sameEnteredPlace,
  withEntered,
  withEnteredOf,
} from './entered-values';
export { chartsOf, type LineFigure, lineFiguresOf, lineHues, paperLineName } from './exhibit-figures';
export { exhibitLosses } from './exhibit-losses';
export { allParts, type ChosenParts, chosenKeys, oursOf, partsWith } from './exhibit-parts';
export {
  ALL_LINES_OURS,
  ALL_OF_PAPERS,
  CONTROL,
  claimSentence,
  isRateColumn,
  measuresRate,
  paperPoints,
} from './exhibit-units';
export * from './experiment-differences';
export {
  ALGORITHM_DRAWS,
  EXPERIMENT_METRIC_TITLES,
  evaluatedOn,
  experimentEvaluation,
  experimentIntervals,
  experimentScale,
  experimentUpdates,
  MAX_TRAININGS,
  metricInFiles,
  trainingsProblem,
} from './experiment-settings';
export {
  EXPERIMENT_PRESETS,
  type ExperimentPreset,
  experimentFromPreset,
  experimentPresetOf,
  PAPER_ORDER,
  presetWithModels,
} from './experiments';
export { extraProblems } from './extra-arguments';
export { GPU_DAY_COLUMNS, gpuDayCell, gpuDayDevice, gpuDayTeams } from './gpu-day-columns';
export { GRADER_ADDRESS, GRADER_ADDRESS_PROBLEM, GRADER_TOKEN_VARIABLE, TOKEN_PATH } from './grader-service';
export { assignHues, configurationsOf, distinctHues, HUE_COUNT, knownHues, scalesOf } from './hues';
export {
  LAUNCH_PRESETS,
  type LaunchPreset,
  launchFromPreset,
  launchPresetOf,
  type ModelShape,
  modelScale,
  PAPER_CONTEXT_TOKENS,
  suggestedGpus,
} from './launch-presets';
export { alreadyImportedText, type LibraryItem, removalProblem, removalText } from './library-removal';
export {
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  CONTROL_SENTENCE,
  hasSeveralFamilies,
  limitChip,
  limitedBy,
  ONE_SEED_SENTENCE,
  POCKET_CHIPS,
  POCKET_SENTENCES,
  REQUIRED_SENTENCES,
  SAME_POLICIES_SENTENCE,
  SCALE_SENTENCES,
} from './limiting-sentences';
export { localTime, timeText } from './local-time';
export {
  MARTI_FLAG_GROUPS,
  MARTI_GROUP_TITLES,
  type MartiFlag,
  type MartiFlagValue,
  type MartiPreset,
} from './marti-flag';
export { MARTI_FLAGS } from './marti-flags';
export { flagProblem, flagValue, martiDefaults, martiFlag } from './marti-values';
export { MEMORY_PARTS } from './memory-parts';
export { type MissingGroup, missingByRemedy } from './missing-groups';
export { missingPackagesText } from './missing-packages';
export * from './number-text';
export { originDifferences, originsText } from './origin-text';
export { arePapersProblems, type PaperBenchmark, paperProblemIds } from './paper-problems';
export { plainId } from './plain-id';
export {
  differenceCount,
  mars2Search,
  methodOf,
  nearestPreset,
  PLAIN_SEARCH,
  PRESETS,
  type Preset,
} from './presets';
export { canReachRange, PLAIN_PROBLEM_CHOICE, passRangeText, problemsKeptText } from './problem-choice';
export {
  MAX_MARKS,
  matchingProblems,
  monthOf,
  NO_PROBLEM_LIST_FILTER,
  PROBLEM_KINDS,
  type ProblemKind,
  type ProblemListFilter,
} from './problem-filter';
export { pastedProblemIds, textOfProblemIds } from './problem-ids';
export {
  COMPLETION_STOPS,
  completionPrompt,
  hasFunctionToComplete,
  isWithoutSystemPrompt,
  namedPromptFormat,
  PROMPT_FORMATS,
  type PromptFormatName,
  promptFormatProblem,
  promptFormatText,
  teamPromptFormats,
  templateText,
} from './prompt-formats';
export { LONGEST_TEMPLATE, namesTheProblem } from './prompt-template';
export { provenanceDifferences, provenanceFacts, provenanceText } from './provenance-text';
export { noPublicTestsNote, problemsWithoutPublicTests } from './public-tests';
export { checkedText } from './recipe-text';
export { isAbsoluteOrHome, recipeValueProblem } from './recipe-values';
export { reproducedPart } from './reproduced-part';
export { DEFAULT_RESTARTS, MAX_RESTARTS } from './restarts';
export {
  exhibitOfRuns,
  fillAtHand,
  fillableAtHand,
  type RunsAtHand,
  searchesSentence,
  withAddedRuns,
  withRunsAtHand,
} from './runs-at-hand';
export {
  SAMPLING_SETTINGS,
  type SamplingSetting,
  type SamplingTexts,
  samplingDifferences,
  samplingOfTexts,
  samplingText,
  textsOfSampling,
} from './sampling-settings';
export { MAX_CONFIGURATIONS, searchSweepSettings, searchWith, sweptConfigurations } from './search-sweep';
export { methodTitle, searchInFull } from './search-text';
export { MAX_SEEDS, readSeeds, requiredSeeds } from './seed-list';
export { sshNameProblem } from './ssh-host';
export {
  agentIdOf,
  agentNames,
  exhibitAtScale,
  inPlaceOf,
  modelNames,
  replacedModels,
  standInSentence,
  standInText,
  standInTextInFull,
} from './stand-ins';
export { DEPTH_GUIDANCE, STRATEGIES, strategyFields } from './strategy-fields';
export {
  extensionCost,
  extensionKind,
  extensionNote,
  extensionText,
  lastAddition,
  looksAt,
  looksSentence,
  standingExtensions,
  withLooks,
} from './study-extensions';
export * from './study-gradings';
export { resourceConflict, resourceUser } from './study-resources';
export { warningSubject, wastedRequests, withSharedWarnings } from './study-warnings';
export { sweepMeasureText, sweepNumber, sweepOfTraining } from './sweep-rows';
export { partsOf, SWEEP_FIELDS, type SweptField, type SweptSetting } from './sweeps';
export {
  martiSweepSettings,
  OWN_MEASURES_NOTE,
  queueText,
  readSweep,
  recipeSweepSettings,
  SEED_SETTING,
  type Sweep,
} from './swept-trainings';
export {
  forwardTargetOf,
  heterogeneousTeam,
  homogeneousTeam,
  launchServer,
  POCKET_FAMILIES,
  type PocketFamily,
  pocketServer,
  ROLES,
  type Role,
  recordedServer,
  sameServer,
  singleTeam,
  type TeamMember,
  teamOfMembers,
  urlServer,
} from './teams';
export type { OwnTrainer, TrainingField, TrainingFieldGroup } from './training-field';
export {
  MODEL_FIELD_GROUPS,
  MODEL_FIELDS,
  modelSettings,
  POCKET_FIELD_GROUPS,
  POCKET_FIELDS,
  pocketSettings,
} from './training-fields';
export { EVALUATION_INTERVALS, measuredSoFarText, trainingGainText } from './training-gain';
export {
  HELD_OUT_SEED,
  heldOutPart,
  isEvaluatedAtEnd,
  isEvaluatedOnTheWay,
  isOwnTraining,
  isUntrained,
  MODEL_AGENT_LIMITS,
  NOT_TRAINED,
  PLAIN_MODEL_TRAINING,
  PLAIN_OBJECTIVE,
  PLAIN_POCKET_TRAINING,
  passOneLabel,
  TRAINING_FAMILIES,
  TRAINING_METHODS,
  trainingMethodOf,
  trainingPrograms,
} from './training-methods';
export { nameWithoutSeed, seedOfTraining, withoutSeed } from './training-seed';
export {
  changedFields,
  modelOfTexts,
  type PocketSettings,
  pocketOfTexts,
  type TrainingTexts,
  textsOfModel,
  textsOfPocket,
} from './training-texts';
export { trainingUsers, trainingUsersText } from './training-users';
export {
  type AddedTraining,
  atHandText,
  isAllAtHand,
  isAtHand,
  trainingsOfLine,
  withAddedTraining,
  withTrainingsAtHand,
} from './trainings-at-hand';
export { firstFreeName, sharedNames } from './unique-names';
export * from './writers';
