/**
 * Grading: a candidate is a hostile Python program; each test gives a verdict. Candidates run in a sandbox that never sees
 * an expected output; results are judged outside of it, in `logic/`.
 */
export type { Calibration, CalibrationRecord } from './calibration';
export { gradingFinding } from './doctor-finding';
export { executablesNamed } from './executables';
export type { GradeRequest, Grader } from './grader';
export { compareCall } from './logic/compare-call';
export { compareStdout } from './logic/compare-stdout';
export type { GradingMode } from './logic/runner-work';
export {
  batchSchema,
  GRADE_PATH,
  type GradeItem,
  HEALTH_PATH,
  type HealthAnswer,
  type ItemResult,
  libraryItemSchema,
  ownItemSchema,
  SERVICE_LIMITS,
  SERVICE_VERSION,
  type ServiceAnswer,
} from './logic/service-wire';
export { probeSandbox } from './open-launcher';
export { openRemoteGrader, type RemoteGrader } from './remote-grader';
export { openSandboxGrader } from './sandbox-grader';
export { readServiceToken, serviceToken } from './service-token';
export { SharedGrades } from './shared-grades';
