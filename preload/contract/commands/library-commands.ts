import { z } from 'zod';
import { MAX_MARKS } from '../plans/problem-filter';
import {
  benchmarkSchema,
  markChangeSchema,
  PROBLEM_PAGE,
  problemOutlineSchema,
  problemTextSchema,
  publishedFormatSchema,
  recordingSchema,
} from '../problem';
import { verdictSchema } from '../verdict';
import { command, done, none } from './command';

const isoDay = z.iso.date();

/** `auto` detects the format from the first rows. */
export const benchmarkFormatSchema = z.enum(['auto', ...publishedFormatSchema.options, 'workbench']);
export type BenchmarkFormat = z.infer<typeof benchmarkFormatSchema>;

/** Which part of a file is imported. Days are inclusive, as in LiveCodeBench. */
const benchmarkImport = {
  format: benchmarkFormatSchema.default('auto'),
  id: z.string().optional(),
  version: z.string().min(1).max(80).optional(),
  licence: z.string().min(1).max(80).optional(),
  from: isoDay.optional(),
  to: isoDay.optional(),
  /** Problems with tests that Python cannot parse are marked and left out of new studies; else the import is refused. */
  markUnparsed: z.boolean().default(false),
};

/** samples: independent answers; traces: first programs with their refinements, e.g. of LDB or Reflexion. */
export const recordingFormatSchema = z.enum(['auto', 'samples', 'traces']);
export type RecordingFormat = z.infer<typeof recordingFormatSchema>;

/** True: the same content was there already, and nothing was changed. */
const importEnd = { alreadyPresent: z.literal(true).optional() };

/** The new display name of an item; ids stay. */
const newName = z.string().trim().min(1).max(120);

/** Benchmarks and recordings of answers. */
export const libraryCommands = {
  'benchmark.list': command(none, z.array(benchmarkSchema)),
  'benchmark.problem': command(
    z.strictObject({ benchmarkId: z.string(), problemId: z.string() }),
    problemTextSchema,
  ),
  /** A page of the problems, from number `from` (0 is the first) on. */
  'benchmark.problems': command(
    z.strictObject({ benchmarkId: z.string(), from: z.number().int().nonnegative() }),
    z.object({ problems: z.array(problemOutlineSchema).max(PROBLEM_PAGE), total: z.number().int() }),
  ),
  /** Replaces the marks of these problems; all of them or, when refused, none. */
  'benchmark.mark': command(
    z.strictObject({
      benchmarkId: z.string().min(1),
      changes: z.array(markChangeSchema).min(1).max(MAX_MARKS),
    }),
    benchmarkSchema,
  ),
  'benchmark.rename': command(
    z.strictObject({ benchmarkId: z.string().min(1), name: newName }),
    benchmarkSchema,
  ),
  /** Refused while something that runs needs it; results of studies stay. */
  'benchmark.remove': command(z.strictObject({ benchmarkId: z.string().min(1) }), done),
  'recording.list': command(none, z.array(recordingSchema)),
  'recording.rename': command(
    z.strictObject({ recordingId: z.string().min(1), name: newName }),
    recordingSchema,
  ),
  'recording.remove': command(z.strictObject({ recordingId: z.string().min(1) }), done),
  /** `path`: a file, or a folder whose files of the format are read in the order of names. */
  'import.benchmark': command(
    z.strictObject({ path: z.string().min(1), ...benchmarkImport }),
    benchmarkSchema.extend(importEnd),
    'terminal',
  ),
  'import.recording': command(
    z.strictObject({
      path: z.string().min(1),
      benchmarkId: z.string().min(1),
      format: recordingFormatSchema.default('auto'),
      id: z.string().optional(),
    }),
    recordingSchema.extend(importEnd),
    'terminal',
  ),
  /** The verdict of each program of a file of samples on all tests, by rows; `out`: where the rows go with them. */
  'grader.gradeFile': command(
    z.strictObject({
      path: z.string().min(1),
      benchmarkId: z.string().min(1),
      out: z.string().min(1).nullable(),
      overwrite: z.boolean().default(false),
    }),
    z.array(
      z.object({
        /** e.g. "line 7" */
        where: z.string(),
        /** null: the row names no problem of the benchmark, and has no verdicts. */
        problemId: z.string().nullable(),
        /** What such a row names instead, its first characters; left out: it names a problem. */
        named: z.string().optional(),
        verdicts: z.array(verdictSchema),
        /** The missing packages of its programs that failed for lack of one, one entry per failure. */
        missingPackages: z.array(z.string()),
      }),
    ),
    'terminal',
  ),
  /**
   * `markUnparsed`: the path that was chosen last is imported, without a dialog. `there`: a path of the machine whose service the window
   * shows, instead of a dialog for one of this computer.
   */
  'import.chooseBenchmark': command(
    z.strictObject({
      ...benchmarkImport,
      folder: z.boolean().default(false),
      there: z.string().min(1).max(4_096).optional(),
    }),
    benchmarkSchema.extend(importEnd),
    'window',
  ),
  'import.chooseRecording': command(
    z.strictObject({ benchmarkId: z.string().min(1), format: recordingFormatSchema.default('auto') }),
    recordingSchema.extend(importEnd),
    'window',
  ),
  /** From the Hugging Face hub by name, e.g. "livecodebench/code_generation_lite". */
  'import.hub': command(
    z.strictObject({
      name: z
        .string()
        .regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/, 'is not the name of a data set there, such as owner/name'),
      /** Files of the data set, e.g. "test6.jsonl"; left out: all of the format. */
      files: z.array(z.string().regex(/^[\w./-]{1,200}$/)).optional(),
      ...benchmarkImport,
    }),
    benchmarkSchema.extend(importEnd),
  ),
};
