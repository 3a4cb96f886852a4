import { z } from 'zod';
import { gradingLimitsSchema } from './problem';
import { gradeSchema, verdictSchema } from './verdict';

/** Most re-grades of a study. */
export const MAX_REGRADES = 100;

const gradingMode = z.enum(['as-program', 'as-published']);
const id = z.string().min(1).max(200);

/** The tests that programs of one of the study's benchmarks were graded with. */
const regradeTestsSchema = z.object({
  /** Of the study, with the digest that it had there. */
  benchmarkId: id,
  benchmarkDigest: id,
  /** The benchmark of the tests that were run: the same one, or one with the same problems. */
  testsId: id,
  testsDigest: id,
});

/** What a complete re-grade is, for everything that shows its verdicts. */
export const regradeFactsSchema = z.object({
  /** Its name in the study: "regrade-1". */
  id: z.string().regex(/^regrade-[1-9]\d{0,5}$/),
  /** ISO time of its end. */
  at: z.string().max(40),
  tests: z.array(regradeTestsSchema).min(1).max(100),
  /** Version of the Python that ran the programs, e.g. "3.11.2". */
  python: z.string().max(200),
  /** In this grading mode; null: in each run's own. */
  grading: gradingMode.nullable(),
  /** Different programs that have a verdict in it. */
  programs: z.number().int().nonnegative(),
  /** Nodes whose private verdict is another one than before. */
  changed: z.number().int().nonnegative(),
  /** Programs on which the sandbox or the grader failed. */
  faults: z.number().int().nonnegative(),
  /** How it ran the programs otherwise than the search's own grading; left out: alike, or by an earlier version. */
  differs: z.array(z.string().max(1_000)).max(100).optional(),
});
export type RegradeFacts = z.infer<typeof regradeFactsSchema>;

/** The first line of a re-grade's journal: all that decides its verdicts. */
export const regradeStartedSchema = z.object({
  kind: z.literal('regrade-started'),
  at: z.number(),
  regradeVersion: z.literal(1),
  appVersion: z.string(),
  studyId: id,
  tests: z
    .array(regradeTestsSchema.extend({ limits: gradingLimitsSchema, rules: z.string().max(100) }))
    .min(1)
    .max(100),
  grader: z.object({
    python: z.string().max(200),
    isolation: z.enum(['sandbox', 'none']),
    cpuFactor: z.number().positive(),
    path: z.string().max(4_096).optional(),
    packages: z.array(z.string().max(200)).max(1_000),
  }),
  grading: gradingMode.nullable(),
});
export type RegradeStarted = z.infer<typeof regradeStartedSchema>;

/** Programs of one problem that are equal to the byte have one verdict in a re-grade. */
export type ProgramKey = {
  /** Of the study. */
  readonly benchmarkId: string;
  readonly problemId: string;
  readonly programDigest: string;
  readonly grading: z.infer<typeof gradingMode>;
};

/** Every other line: a program's private tests were run again. Of several lines of one program the last one counts. */
export const programGradedSchema = z.object({
  kind: z.literal('program-graded'),
  at: z.number(),
  benchmarkId: id,
  problemId: z.string(),
  programDigest: id,
  grading: gradingMode,
  privateVerdict: verdictSchema,
  privateVerdicts: z.array(verdictSchema),
  missingPackage: z.string().optional(),
  otherVerdict: verdictSchema.optional(),
  detail: z.object({ privateGrade: gradeSchema }).optional(),
});
export type ProgramGraded = z.infer<typeof programGradedSchema>;
