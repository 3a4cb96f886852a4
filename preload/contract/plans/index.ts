/**
 * Presets for teams, searches, trainings, launches and experiments, and what can be computed from a plan before it runs.
 * Values only, no schemas, so that the window can use them as main and the terminal do.
 */
export { BENCHMARK_FORMATS, PUBLISHED_FORMATS, type PublishedFormat } from './benchmark-formats';
export { candidateCount } from './candidates';
export { measuresRate, paperPoints, seriesNames } from './exhibit-units';
export {
  EXPERIMENT_PRESETS,
  type ExperimentPreset,
  experimentFromPreset,
  experimentPresetOf,
  PAPER_ORDER,
} from './experiments';
export { assignHues, configurationsOf, HUE_COUNT } from './hues';
export {
  LAUNCH_PRESETS,
  type LaunchPreset,
  launchFromPreset,
  launchPresetOf,
  type ModelShape,
  PAPER_CONTEXT_TOKENS,
  suggestedGpus,
} from './launch-presets';
export {
  MARTI_FLAG_GROUPS,
  MARTI_GROUP_TITLES,
  type MartiFlag,
  type MartiFlagGroup,
  type MartiFlagKind,
  type MartiFlagValue,
  type MartiPreset,
} from './marti-flag';
export { MARTI_FLAGS } from './marti-flags';
export { flagProblem, martiDefaults, martiFlag } from './marti-values';
export {
  POCKET_FIELD_GROUPS,
  POCKET_FIELDS,
  type PocketField,
  type PocketFieldGroup,
  pocketSettings,
} from './pocket-fields';
export {
  changedFields,
  type PocketSettings,
  type PocketTexts,
  settingsOfTexts,
  textsOfSettings,
} from './pocket-texts';
export {
  methodOf,
  PLAIN_SEARCH,
  PRESETS,
  type Preset,
  presetOf,
  type SearchMethod,
  searchName,
} from './presets';
export {
  SAMPLING_SETTINGS,
  type SamplingSetting,
  type SamplingTexts,
  samplingDifferences,
  samplingOfTexts,
  samplingText,
  textsOfSampling,
} from './sampling-settings';
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
export { DEPTH_GUIDANCE, STRATEGIES, type StrategyField, strategyFields } from './strategies';
export { resourceConflict } from './study-resources';
export {
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
export {
  isEvaluatedAtEnd,
  PLAIN_OBJECTIVE,
  PLAIN_POCKET_TRAINING,
  passOneLabel,
  TRAINING_FAMILIES,
  TRAINING_METHODS,
  trainingMethodOf,
} from './training-methods';
