/**
 * A study is a planned set of runs. `logic/` plans it, `active-study` runs it, `study-results` reads and exports it, and
 * `study-service` is the entry to all three. A run session is one run's open journal with the view it folds to.
 */
export type { StudyDeps } from './active-study';
export { type HueAssignments, hueAssignments } from './hue-assignments';
export { extendedStudy } from './logic/extend-study';
export { newStudy, studyIdOf, withDeskModels } from './logic/new-study';
export { QUICKSTART, quickstartPlan, quickstartStudy } from './logic/quickstart';
export { journalProblemSentences } from './logic/run-outcomes';
export { takenBack } from './logic/take-back';
export { type PocketCheckpoints, pocketCheckpoints } from './pocket-checkpoints';
export { regradeStudy } from './regrade-study';
export { regradeTests } from './regrade-tests';
export { createRunComparison, type RunComparisons } from './run-comparison';
export { studyDiversity } from './study-diversity';
export { BUNDLE_MARK, type StudyFiles, studyFiles } from './study-files';
export { readOrigins } from './study-origins';
export { createStudyService, type StudyService } from './study-service';
export { recoverStudies } from './study-store';
export { readTokens, type TokenStamp, tokenStamp } from './study-tokens';
export { proveRegrade, proveVerdicts, verifyStudy } from './verify-study';
