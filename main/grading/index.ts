/**
 * Grading: a candidate is a hostile Python program, a test asks it for one thing, a verdict says how that went.
 * Candidates run in a sandbox that never sees an expected output; what came out is judged outside, in `logic/`.
 */
export type { GradeRequest, Grader, GraderStatistics } from './grader';
export { compareCall } from './logic/compare-call';
export { compareStdout } from './logic/compare-stdout';
export { probeSandbox } from './probe-sandbox';
export { openSandboxGrader, type SandboxGraderOptions } from './sandbox-grader';
