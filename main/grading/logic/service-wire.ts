import { z } from 'zod';
import {
  agentSchema,
  benchmarkSchema,
  type gradeSchema,
  gradingLimitsSchema,
  gradingRulesSchema,
  testCaseSchema,
  testResultSchema,
  verdictSchema,
} from '../../../preload/contract';

/** The HTTP messages between a grader service and its clients (docs/grading.md). */

/** Changes with any field that an older client or service would misread. */
export const SERVICE_VERSION = 1;

export const GRADE_PATH = '/v1/grade';
export const HEALTH_PATH = '/health';

/** Of one request. */
export const SERVICE_LIMITS = {
  /** LiveCodeBench has problems with tens of megabytes of tests: ask for those by benchmark and id. */
  bodyBytes: 64 * 1024 * 1024,
  items: 1_024,
  testsOfItem: 5_000,
  /** Characters of an answer or a program: no model writes more. */
  programCharacters: 1_000_000,
  /** Brackets of the body open at once; the format needs five. */
  depth: 8,
  /** Values and keys of the body, which bound what parsing it takes. */
  parts: 2_000_000,
  /** Characters of outputs and errors in one answer; further ones are left out. */
  detailCharacters: 8_000_000,
  /** For all items together; an item that is not done by then has the error `timeout`. */
  seconds: 3_600,
} as const;

/** No test may use more, whatever the request says. */
const MOST = {
  cpuSeconds: 600,
  wallSeconds: 3_600,
  memoryBytes: 64 * 1024 ** 3,
  processes: 4_096,
  outputBytes: 256 * 1024 ** 2,
} as const;

const { shape } = gradingLimitsSchema;
const serviceLimitsSchema = z.strictObject({
  cpuSeconds: shape.cpuSeconds.max(MOST.cpuSeconds),
  wallSeconds: shape.wallSeconds.max(MOST.wallSeconds),
  memoryBytes: shape.memoryBytes.max(MOST.memoryBytes),
  processes: shape.processes.max(MOST.processes),
  outputBytes: shape.outputBytes.max(MOST.outputBytes),
});

const gradingModeSchema = z.enum(['as-program', 'as-published']);

const text = z.string().max(SERVICE_LIMITS.programCharacters);

/** What all items have: the text to grade, and how to read and run it. */
const common = {
  /** Comes back with the result. */
  id: z.string().max(400).optional(),
  /** The model's answer; the program is extracted from it as `extraction` says. */
  answer: text.optional(),
  extraction: agentSchema.shape.extraction.default('last-fence'),
  /** Instead of an answer: the program as it is run; null or blank: there is none. */
  program: text.nullable().optional(),
  mode: gradingModeSchema.default('as-program'),
  /** A missing limit has the benchmark's value, or that of an own benchmark without limits. */
  limits: serviceLimitsSchema.partial().optional(),
  /** Tests after the first that is not passed are not run, and count as not passed. */
  stopAtFirstFailure: z.boolean().default(false),
  stopAtTimeLimit: z.boolean().default(false),
};

/** An item whose tests are those of a problem of the service's library. */
export const libraryItemSchema = z.strictObject({
  ...common,
  problem: z.strictObject({
    benchmark: benchmarkSchema.shape.id,
    id: z.string().min(1).max(400),
    tests: z.enum(['all', 'public', 'private']).default('all'),
  }),
});

/** An item that brings its tests. */
export const ownItemSchema = z.strictObject({
  ...common,
  tests: z.array(testCaseSchema).max(SERVICE_LIMITS.testsOfItem),
  entryPoint: z.string().max(1_000).nullable().default(null),
  starterCode: text.default(''),
  rules: gradingRulesSchema.default('plain'),
});

export type GradeItem = z.output<typeof libraryItemSchema> | z.output<typeof ownItemSchema>;

/** Items are read one by one, so that a bad one spoils no other. */
export const batchSchema = z.strictObject({
  items: z.array(z.unknown()).min(1).max(SERVICE_LIMITS.items),
  /** Whether each test's output and error text come back too. */
  details: z.boolean().default(false),
  timeoutSeconds: z.number().positive().max(SERVICE_LIMITS.seconds).default(600),
});

const healthSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('good') }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);

const itemErrorSchema = z.object({
  /** bad-item, not-found, timeout, closing, unavailable. */
  code: z.string(),
  message: z.string(),
});

const resultSchema = z.union([
  z.object({ id: z.string().optional(), error: itemErrorSchema }),
  z.object({
    id: z.string().optional(),
    verdict: verdictSchema,
    /** Share of the tests that are passed, in [0, 1]; null: nothing was judged (a fault, or no tests). */
    score: z.number().nullable(),
    tests: z.array(
      testResultSchema.extend({
        actual: testResultSchema.shape.actual.optional(),
        error: testResultSchema.shape.error.optional(),
      }),
    ),
    /** By the clock, of all tests that were run, whether now or for an earlier equal request. */
    seconds: z.number(),
    /** How the program was read out of the answer; null: it came as a program. */
    extraction: agentSchema.shape.extraction.nullable(),
    rules: gradingRulesSchema,
    mode: gradingModeSchema,
  }),
]);
export type ItemResult = z.output<typeof resultSchema>;

/** `results` in the order of the items. */
export const answerSchema = z.object({ results: z.array(resultSchema), grader: healthSchema });
export type ServiceAnswer = z.output<typeof answerSchema>;

export const healthAnswerSchema = z.object({
  service: z.literal('mars2-grader'),
  version: z.literal(SERVICE_VERSION),
  grader: healthSchema,
  python: z.string(),
  packages: z.array(z.string()),
  /** Candidates at a time. */
  workers: z.number(),
});
export type HealthAnswer = z.output<typeof healthAnswerSchema>;

export const serviceErrorSchema = z.object({ error: itemErrorSchema });

/** A whole grade, where the service was asked for details. */
export function gradeOfResult(result: Exclude<ItemResult, { error: unknown }>): z.output<typeof gradeSchema> {
  const results = result.tests.map(({ actual = null, error = null, ...rest }) => ({
    ...rest,
    actual,
    error,
  }));
  return { verdict: result.verdict, results };
}
