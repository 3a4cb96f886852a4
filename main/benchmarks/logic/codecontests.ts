import { z } from 'zod';
import type { GradingLimits, TestCase } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import { GIBIBYTE, type ImportedRow, MEBIBYTE, withPublicTests } from './imported-row';
import { parseRow, taskIdSchema } from './rows';

/** The limits if no problem has its own. Otherwise the longest time of a problem is the limit of all. */
export const codeContestsLimits: GradingLimits = {
  cpuSeconds: 10,
  wallSeconds: 40,
  memoryBytes: 4 * GIBIBYTE,
  processes: 64,
  outputBytes: 64 * MEBIBYTE,
};
/** The longest time of a problem. Published times are for compiled languages, so they are multiplied by three. */
const MAX_CPU_SECONDS = 60;
const PYTHON_FACTOR = 3;

const pair = z.object({ input: z.string(), output: z.string() });
/** Columns, as the data set's tables have them, or a list of pairs. */
const testsSchema = z
  .union([
    z
      .object({ input: z.array(z.string()), output: z.array(z.string()) })
      .refine(
        ({ input, output }) => input.length === output.length,
        'does not have as many outputs as inputs',
      )
      .transform(({ input, output }) => input.map((read, i) => ({ input: read, output: output[i] ?? '' }))),
    z.array(pair),
  ])
  .nullish();

const rowSchema = z.object({
  name: taskIdSchema,
  description: z.string().min(1, 'is empty'),
  public_tests: testsSchema,
  private_tests: testsSchema,
  generated_tests: testsSchema,
  source: z.union([z.number(), z.string()]).nullish(),
  cf_tags: z.array(z.string()).nullish(),
  time_limit: z.object({ seconds: z.number().nullish(), nanos: z.number().nullish() }).nullish(),
  solutions: z
    .union([
      z.object({ language: z.array(z.union([z.number(), z.string()])), solution: z.array(z.string()) }),
      z.array(z.object({ language: z.union([z.number(), z.string()]), solution: z.string() })),
    ])
    .nullish(),
});
type Row = z.output<typeof rowSchema>;

/** The data set's own enumerations (contest_problem.proto). */
const platforms = ['', 'codechef', 'codeforces', 'hackerearth', 'codejam', 'atcoder', 'aizu'];
const PYTHON3 = new Set<number | string>([3, 'PYTHON3']);

function stdin(tests: Row['public_tests']): TestCase[] {
  return (tests ?? []).map(({ input, output }) => ({ kind: 'stdin', input, expected: output }));
}

function platformOf(source: Row['source']): string {
  return typeof source === 'number' ? (platforms[source] ?? '') : (source ?? '').toLowerCase();
}

function canonicalOf(solutions: Row['solutions']): string | null {
  if (solutions === null || solutions === undefined) return null;
  const list = Array.isArray(solutions)
    ? solutions
    : solutions.language.map((language, i) => ({ language, solution: solutions.solution[i] ?? '' }));
  return list.find(({ language }) => PYTHON3.has(language))?.solution ?? null;
}

/** A row of CodeContests: its generated tests count as private ones do. */
export function codeContestsProblem(row: string): Result<ImportedRow, string> {
  const parsed = parseRow(row, rowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const value = parsed.value;
  const publicTests = stdin(value.public_tests);
  const hidden = [...stdin(value.private_tests), ...stdin(value.generated_tests)];
  const platform = platformOf(value.source);
  const seconds = (value.time_limit?.seconds ?? 0) + (value.time_limit?.nanos ?? 0) / 1e9;
  return ok({
    problem: {
      id: value.name,
      title: value.name,
      statement: value.description,
      entryPoint: null,
      starterCode: '',
      difficulty: null,
      date: null,
      ...(platform === '' ? {} : { platform }),
      skills: (value.cf_tags ?? []).filter((tag) => tag !== ''),
      publicTests,
      privateTests: withPublicTests(publicTests, hidden),
      canonicalProgram: canonicalOf(value.solutions),
    },
    ...(seconds > 0 ? { cpuSeconds: Math.min(MAX_CPU_SECONDS, PYTHON_FACTOR * seconds) } : {}),
  });
}
