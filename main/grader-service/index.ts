/** The grader behind HTTP, as a program of its own: other trainers, and ours elsewhere, use its verdicts as their reward. */
export { createGraderService, type GraderService, type ServiceOptions } from './service';
