import { z } from 'zod';
import { PUBLISHED_FORMATS } from './plans/benchmark-formats';
import { scaleSchema } from './scale';

/** One test. Expected values never enter the process that runs the candidate, except in `check` (see grading/). */
export const testCaseSchema = z.discriminatedUnion('kind', [
  /** The program reads stdin and writes stdout; compared by LiveCodeBench's rules. */
  z.object({ kind: z.literal('stdin'), input: z.string(), expected: z.string() }),
  /** The entry point is called; `input` has one JSON argument a line, `expected` is JSON (LiveCodeBench's form). */
  z.object({ kind: z.literal('call'), input: z.string(), expected: z.string() }),
  /** Python statements run after the program; passed when they end without an exception (HumanEval's form). */
  z.object({ kind: z.literal('check'), source: z.string() }),
  /**
   * The entry point is called with every input in turn and must give what the reference program gives (EvalPlus'
   * form). `inputs` is a JSON list of argument lists. The reference runs in its own sandbox.
   */
  z.object({
    kind: z.literal('reference'),
    inputs: z.string(),
    /** python: `inputs` is a Python literal (ast.literal_eval), for tuples, sets and complex numbers; else JSON. */
    inputsForm: z.enum(['json', 'python']).optional(),
    reference: z.string(),
    /** Absolute tolerance for numbers; 0 compares exactly. */
    tolerance: z.number().nonnegative(),
  }),
]);
export type TestCase = z.infer<typeof testCaseSchema>;

/** Forms in which benchmarks are published, each with its own rules. */
export const publishedFormatSchema = z.enum(PUBLISHED_FORMATS);

export const difficultySchema = z.enum(['easy', 'medium', 'hard']);

export const problemSchema = z.object({
  /** Unique within its benchmark, e.g. "pocket/test/017" or "HumanEval/0". */
  id: z.string().min(1),
  title: z.string(),
  /** The task as an agent gets it: in English, with the examples in it. */
  statement: z.string(),
  /** Function name for `call` and `check` tests; null for programs that read stdin. */
  entryPoint: z.string().nullable(),
  /** Shown to agents in a fence where there is one; empty for stdin problems. */
  starterCode: z.string(),
  difficulty: difficultySchema.nullable(),
  /** ISO date of the contest, where known. */
  date: z.string().nullable(),
  /** Where the problem was set, e.g. "leetcode"; left out where unknown. */
  platform: z.string().optional(),
  /** Skill families, e.g. ["order", "scan"]; may be empty. */
  skills: z.array(z.string()),
  publicTests: z.array(testCaseSchema),
  privateTests: z.array(testCaseSchema),
  /** A known-good program where the source has one; never shown to agents. */
  canonicalProgram: z.string().nullable(),
});
export type Problem = z.infer<typeof problemSchema>;

/** A problem as lists show it: without its texts and tests. */
export const problemOutlineSchema = problemSchema
  .pick({ id: true, title: true, difficulty: true, date: true })
  .extend({
    platform: z.string().nullable(),
    publicTests: z.number().int().nonnegative(),
    /** Of its line in the file of problems. */
    bytes: z.number().int().nonnegative(),
  });
export type ProblemOutline = z.infer<typeof problemOutlineSchema>;

/** Problems in one answer; a benchmark may have many more. */
export const PROBLEM_PAGE = 1_000;

/**
 * A problem as the window reads it, without what can be many megabytes: private tests are counted, long texts cut, and
 * `publicTests` has the first ones.
 */
export const problemTextSchema = problemSchema.omit({ privateTests: true, canonicalProgram: true }).extend({
  publicTestCount: z.number().int().nonnegative(),
  privateTestCount: z.number().int().nonnegative(),
});
export type ProblemText = z.infer<typeof problemTextSchema>;

/** Limits for one test unless said otherwise. */
export const gradingLimitsSchema = z.object({
  /** CPU seconds of one test. */
  cpuSeconds: z.number().positive(),
  /** Wall-clock seconds of one test; above the CPU limit so that a busy machine changes no verdict. */
  wallSeconds: z.number().positive(),
  memoryBytes: z.number().int().positive(),
  /** Processes and threads of one candidate. */
  processes: z.number().int().positive(),
  /** Bytes that one test may write to stdout (or return). */
  outputBytes: z.number().int().positive(),
});
export type GradingLimits = z.infer<typeof gradingLimitsSchema>;

/** What people found out about a problem; travels with its benchmark. */
export const problemMarkSchema = z.object({
  problemId: z.string().min(1),
  /** e.g. "several right answers"; shown wherever the problem is. */
  reason: z.string().min(1).max(500),
  /** Left out of new studies. */
  exclude: z.boolean(),
});
export type ProblemMark = z.infer<typeof problemMarkSchema>;

/** A problem with its new mark; null: none any more. */
export const markChangeSchema = z.strictObject({
  problemId: z.string().min(1),
  mark: problemMarkSchema.omit({ problemId: true }).nullable(),
});
export type MarkChange = z.infer<typeof markChangeSchema>;

/** Which grading rules apply: how a program is assembled, run and compared (docs/grading.md). */
export const gradingRulesSchema = z.enum(['plain', 'livecodebench', 'humaneval', 'evalplus', 'mbpp']);
export type GradingRules = z.infer<typeof gradingRulesSchema>;

/** What lists show of a benchmark; the problems themselves stay in their file. */
export const benchmarkSchema = z.object({
  /** Stable name that is also its folder, e.g. "pocket-test-1" or "humaneval". */
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  name: z.string(),
  scale: scaleSchema,
  problems: z.number().int().nonnegative(),
  /** SHA-256 (hex) over the canonical JSON of all problems, in order. */
  digest: z.string(),
  /** Where it came from, in words: generator and seed, or the file's name. */
  source: z.string(),
  importedAt: z.string(),
  limits: gradingLimitsSchema,
  /** e.g. "12 problems have no public tests"; shown beside the name. */
  notes: z.array(z.string()),
  rules: gradingRulesSchema.default('plain'),
  /** As the source names it, e.g. "v6"; null where it does not. */
  version: z.string().nullable().default(null),
  /** e.g. "MIT"; null where unknown. */
  licence: z.string().nullable().default(null),
  marks: z.array(problemMarkSchema).default([]),
});
export type Benchmark = z.infer<typeof benchmarkSchema>;

/** A recorded agent: a file of real model outputs, joined with the benchmark it answers. */
export const recordingSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  name: z.string(),
  benchmarkId: z.string(),
  problems: z.number().int().nonnegative(),
  /** First attempts. */
  samples: z.number().int().nonnegative(),
  /** Programs that refine another one of the recording; 0: independent samples only. */
  refinements: z.number().int().nonnegative().default(0),
  /** Fewest and most samples of a problem of the benchmark (0 where a problem has none). */
  fewestSamples: z.number().int().nonnegative(),
  mostSamples: z.number().int().nonnegative(),
  digest: z.string(),
  source: z.string(),
  importedAt: z.string(),
});
export type Recording = z.infer<typeof recordingSchema>;
