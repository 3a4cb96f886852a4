import { z } from 'zod';
import {
  type Benchmark,
  benchmarkSchema,
  type GradingLimits,
  problemSchema,
} from '../../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../../base';
import { GIBIBYTE, type ImportedRow, MEBIBYTE } from './imported-row';
import { isPythonJson } from './raw-json';
import { rowOf, taskIdSchema } from './rows';

/** The limits if a file has none of its own. */
export const workbenchLimits: GradingLimits = {
  cpuSeconds: 10,
  wallSeconds: 40,
  memoryBytes: 2 * GIBIBYTE,
  processes: 64,
  outputBytes: 16 * MEBIBYTE,
};

/** The first line of an exported benchmark: all of its record that does not follow from its problems. */
const headerSchema = z.strictObject({
  workbench: z.literal('benchmark'),
  formatVersion: z.literal(1, 'is not 1; a newer version of the workbench is needed'),
  benchmark: benchmarkSchema.omit({ id: true, problems: true, digest: true, importedAt: true }),
});
export type WorkbenchHeader = z.output<typeof headerSchema>['benchmark'];

export function isWorkbenchHeader(row: string): boolean {
  return /^\s*\{\s*"workbench"\s*:/.test(row);
}

export function workbenchHeader(row: string): Result<WorkbenchHeader, string> {
  const parsed = rowOf(parsedJson(row), headerSchema);
  return parsed.ok ? ok(parsed.value.benchmark) : failed(parsed.error.message);
}

export function headerLine(benchmark: Benchmark): string {
  const { id: _id, problems: _problems, digest: _digest, importedAt: _importedAt, ...rest } = benchmark;
  return JSON.stringify({ workbench: 'benchmark', formatVersion: 1, benchmark: rest });
}

/** A problem in the workbench's form; fields with a usual value may be left out. */
const rowSchema = z.strictObject({
  ...problemSchema.shape,
  id: taskIdSchema,
  title: problemSchema.shape.title.optional(),
  statement: z.string().min(1, 'is empty'),
  entryPoint: problemSchema.shape.entryPoint.default(null),
  starterCode: problemSchema.shape.starterCode.default(''),
  difficulty: problemSchema.shape.difficulty.default(null),
  date: z.iso.date('is not a date like 2025-01-31').nullable().default(null),
  skills: problemSchema.shape.skills.default([]),
  publicTests: problemSchema.shape.publicTests.default([]),
  canonicalProgram: problemSchema.shape.canonicalProgram.default(null),
});

/** The problem of a test; null if it can be run. */
function testProblem(test: z.output<typeof rowSchema>['publicTests'][number], entryPoint: string | null) {
  if (test.kind === 'call' && entryPoint === null) return 'is a call, but the problem has no "entryPoint"';
  if (test.kind === 'call' && !isPythonJson(test.expected)) return 'has an "expected" that is not JSON';
  if (test.kind === 'call' && !test.input.split('\n').every((line) => line === '' || isPythonJson(line)))
    return 'has an "input" that is not one JSON value a line';
  if (test.kind === 'reference' && entryPoint === null)
    return 'needs a function, but the problem has no "entryPoint"';
  if (test.kind === 'reference' && test.inputsForm !== 'python' && !isPythonJson(test.inputs))
    return 'has "inputs" that are not JSON';
  return null;
}

export function workbenchProblem(row: string): Result<ImportedRow, string> {
  const value = parsedJson(row);
  if (value === undefined) return failed('is not JSON; one JSON object a line is needed.');
  const parsed = rowOf(value, rowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const { title, ...problem } = parsed.value;
  for (const field of ['publicTests', 'privateTests'] as const) {
    for (const [i, test] of problem[field].entries()) {
      const error = testProblem(test, problem.entryPoint);
      if (error !== null) return failed(`has a "${field}" whose test ${i + 1} ${error}.`);
    }
  }
  return ok({ problem: { ...problem, title: title ?? problem.id } });
}
